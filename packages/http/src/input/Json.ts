/** Strict reading of JSON bodies: UTF-8 only, JSON only, and no repeated key. */
import { Effect } from "effect"
import { InvalidBody, PayloadTooLarge, UnsupportedMediaType } from "../pipeline/ErrorTable.ts"
import type { HttpRequest } from "../server/HttpMessage.ts"

/** The longest accepted body. */
export const maxBody_bytes = 64 * 1024

/** The body of a request as a JSON value. */
export const readJson = (
  request: HttpRequest
): Effect.Effect<unknown, InvalidBody | PayloadTooLarge | UnsupportedMediaType> => {
  const refusal = refuseForm(request)
  if (refusal !== undefined) return Effect.fail(refusal)
  return request.body(maxBody_bytes).pipe(
    Effect.mapError((error) =>
      error._tag === "BodyTooLarge"
        ? new PayloadTooLarge({ message: "the body may have at most 64 KiB" })
        : new InvalidBody({ message: "the body did not arrive whole" })
    ),
    Effect.flatMap(parseJson)
  )
}

/** Parses a JSON text in UTF-8. Refuses an object that repeats a key, because parsers disagree on its value. */
export const parseJson = (bytes: Uint8Array): Effect.Effect<unknown, InvalidBody> => {
  if (bytes.length === 0) return fail("the body is empty: expected a JSON object")
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return fail("the body is not valid UTF-8")
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return fail("the body is not valid JSON")
  }
  return hasRepeatedKey(text) ? fail("the body holds a key twice in one object") : Effect.succeed(value)
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false })

const fail = (message: string) => Effect.fail(new InvalidBody({ message }))

const refuseForm = (request: HttpRequest): UnsupportedMediaType | undefined => {
  const encoding = request.header("content-encoding")
  if (encoding !== undefined && encoding.trim().toLowerCase() !== "identity") {
    return new UnsupportedMediaType({ message: "a content encoding is not taken: send the body as it is" })
  }
  const [type = "", ...parameters] = (request.header("content-type") ?? "").split(";").map(normalized)
  if (type !== "application/json") {
    return new UnsupportedMediaType({ message: "expected Content-Type: application/json" })
  }
  return parameters.every(isUtf8OrNothing)
    ? undefined
    : new UnsupportedMediaType({ message: "expected JSON in UTF-8, not in another charset or with other parameters" })
}

const normalized = (text: string): string => text.trim().toLowerCase()

const isUtf8OrNothing = (parameter: string): boolean => {
  const [name = "", value = ""] = parameter.split("=").map(normalized)
  return parameter === "" || (name === "charset" && (value === "utf-8" || value === '"utf-8"'))
}

/**
 * Whether an object of a valid JSON text repeats a key. An explicit stack is used because deep nesting would overflow
 * the call stack.
 */
const hasRepeatedKey = (text: string): boolean => {
  /** The keys of each open object; undefined for an open array. */
  const open: Array<Set<string> | undefined> = []
  let i = 0
  while (i < text.length) {
    const char = text.charCodeAt(i)
    if (char === quote) {
      const end = endOfString(text, i)
      const keys = open.at(-1)
      if (keys !== undefined && isFollowedByColon(text, end)) {
        const key = JSON.parse(text.slice(i, end)) as string
        if (keys.has(key)) return true
        keys.add(key)
      }
      i = end
      continue
    }
    if (char === openBrace) open.push(new Set())
    else if (char === openBracket) open.push(undefined)
    else if (char === closeBrace || char === closeBracket) open.pop()
    i++
  }
  return false
}

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d

/** The index just after a string's closing quote. */
const endOfString = (text: string, start: number): number => {
  let i = start + 1
  while (text.charCodeAt(i) !== quote) i += text.charCodeAt(i) === backslash ? 2 : 1
  return i + 1
}

const isFollowedByColon = (text: string, from: number): boolean => {
  let i = from
  while (" \t\n\r".includes(text.charAt(i)) && i < text.length) i++
  return text.charAt(i) === ":"
}
