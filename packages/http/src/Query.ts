/** Reading a query string strictly: each known parameter once, in valid UTF-8; unknown ones are ignored. */
import { InvalidParameter } from "@postcode/core/Errors"
import { Result } from "effect"

/**
 * The known parameters of a query string. An empty value counts as missing.
 *
 * @param query what stands after the `?`, without it
 * @param known the names that the endpoint takes
 */
export const parseQuery = (
  query: string,
  known: ReadonlySet<string>
): Result.Result<Readonly<Record<string, string>>, InvalidParameter> => {
  const values: Record<string, string> = {}
  const seen: Array<string> = []
  for (let start = 0, end = 0; start <= query.length; start = end + 1) {
    end = endOfPart(query, start)
    const part = query.slice(start, end)
    const equals = part.indexOf("=")
    const name = decode(equals === -1 ? part : part.slice(0, equals))
    if (name === undefined || !known.has(name)) continue
    if (seen.includes(name)) return fail(name, "sent more than once: send it once")
    seen.push(name)
    const value = equals === -1 ? "" : decode(part.slice(equals + 1))
    if (value === undefined) return fail(name, "expected percent-encoded UTF-8")
    if (value !== "") values[name] = value
  }
  return Result.succeed(values)
}

const endOfPart = (query: string, start: number): number => {
  const end = query.indexOf("&", start)
  return end === -1 ? query.length : end
}

const fail = (parameter: string, message: string) =>
  Result.fail(new InvalidParameter({ parameter, message: `${parameter}: ${message}` }))

/** Decodes a form-encoded name or value; undefined if it is none. */
const decode = (text: string): string | undefined => {
  // Most values hold neither: decoding them costs more than looking.
  if (!text.includes("%") && !text.includes("+")) return text
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    return undefined
  }
}
