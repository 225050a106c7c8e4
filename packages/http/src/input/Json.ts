/** Strict reading of JSON bodies: UTF-8 only, JSON only, and no repeated key. */
import { Effect, Exit, Result } from "effect"
import { InvalidBody, PayloadTooLarge, UnsupportedMediaType } from "../pipeline/ErrorTable.ts"
import type { HttpRequest } from "../server/HttpMessage.ts"

/** The longest accepted body. */
export const maxBody_bytes = 64 * 1024

/** The body of a request as a JSON value. */
export const readJson = (
  request: HttpRequest
): Effect.Effect<unknown, InvalidBody | PayloadTooLarge | UnsupportedMediaType> =>
  Effect.flatMap(readBytes(request, maxBody_bytes, "64 KiB"), parseJson)

/** The body of a request, if it has the media type. */
export const readBytes = (
  request: HttpRequest,
  maximum_bytes: number,
  maximum: string,
  mediaType = "application/json"
): Effect.Effect<Uint8Array, InvalidBody | PayloadTooLarge | UnsupportedMediaType> => {
  const refusal = refuseForm(request, mediaType)
  if (refusal !== undefined) return Effect.fail(refusal)
  return Effect.mapError(request.body(maximum_bytes), (error) =>
    error._tag === "BodyTooLarge"
      ? new PayloadTooLarge({ message: `the body may have at most ${maximum}` })
      : new InvalidBody({ message: "the body is incomplete" })
  )
}

/** Parses a JSON text in UTF-8. Refuses an object that repeats a key, because parsers disagree on its value. */
export const parseJson = (bytes: Uint8Array): Exit.Exit<unknown, InvalidBody> =>
  Result.match(Result.flatMap(textOf(bytes), parseText), { onFailure: Exit.fail, onSuccess: Exit.succeed })

/** The text of a body. */
export const textOf = (bytes: Uint8Array, expected = "a JSON object"): Result.Result<string, InvalidBody> => {
  if (bytes.length === 0) return fail(`the body is empty: expected ${expected}`)
  try {
    return Result.succeed(utf8.decode(bytes))
  } catch {
    return fail("the body is not valid UTF-8")
  }
}

/** The value of a JSON text that repeats no key in an object. */
export const parseText = (text: string): Result.Result<unknown, InvalidBody> => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return fail("the body is not valid JSON")
  }
  return hasRepeatedKey(text) ? fail("an object in the body has the same name twice") : Result.succeed(value)
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false })

const fail = (message: string) => Result.fail(new InvalidBody({ message }))

const refuseForm = (request: HttpRequest, mediaType: string): UnsupportedMediaType | undefined => {
  const encoding = request.header("content-encoding")
  if (encoding !== undefined && encoding.trim().toLowerCase() !== "identity") {
    return new UnsupportedMediaType({ message: "content encodings are not supported: send the body uncompressed" })
  }
  const [type = "", ...parameters] = (request.header("content-type") ?? "").split(";").map(normalized)
  if (type !== mediaType) {
    return new UnsupportedMediaType({ message: `expected Content-Type: ${mediaType}` })
  }
  return parameters.every(isUtf8OrNothing)
    ? undefined
    : new UnsupportedMediaType({ message: "expected UTF-8, not another charset or other parameters" })
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
        const quoted = text.slice(i, end)
        const key = quoted.includes("\\") ? (JSON.parse(quoted) as string) : quoted.slice(1, -1)
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

/** The index just after a string's closing quote; the length of the text if there is none. */
export const endOfString = (text: string, start: number): number => {
  let i = start + 1
  while (i < text.length && text.charCodeAt(i) !== quote) i += text.charCodeAt(i) === backslash ? 2 : 1
  return Math.min(i + 1, text.length)
}

const isFollowedByColon = (text: string, from: number): boolean => text.charAt(afterSpace(text, from)) === ":"

/** The index of the first character that is no white space. */
export const afterSpace = (text: string, from: number): number => {
  let i = from
  while (i < text.length && " \t\n\r".includes(text.charAt(i))) i++
  return i
}
