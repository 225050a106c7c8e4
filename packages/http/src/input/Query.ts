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
  const mayBeEncoded = isEncoded(query)
  // Sought again only once it is passed: else a query of ampersands alone would be read as often as it has parts.
  let nextEquals = -1
  for (let start = 0, end = 0; start <= query.length; start = end + 1) {
    end = indexOrEnd(query, "&", start)
    if (nextEquals < start) nextEquals = indexOrEnd(query, "=", start)
    const equals = Math.min(nextEquals, end)
    const name = decode(query.slice(start, equals), mayBeEncoded)
    if (name === undefined || !known.has(name)) continue
    if (seen.includes(name)) return fail(name, "sent more than once: send it once")
    seen.push(name)
    const value = decode(query.slice(equals + 1, end), mayBeEncoded)
    if (value === undefined) return fail(name, "expected percent-encoded UTF-8")
    if (value !== "") values[name] = value
  }
  return Result.succeed(values)
}

const indexOrEnd = (query: string, sought: string, start: number): number => {
  const index = query.indexOf(sought, start)
  return index === -1 ? query.length : index
}

const fail = (parameter: string, message: string) =>
  Result.fail(new InvalidParameter({ parameter, message: `${parameter}: ${message}` }))

/** Most texts are not, and to decode them costs more than to look. */
const isEncoded = (text: string): boolean => text.includes("%") || text.includes("+")

/** Decodes a form-encoded name or value; undefined if it is none. */
const decode = (text: string, mayBeEncoded: boolean): string | undefined => {
  if (!mayBeEncoded || !isEncoded(text)) return text
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    return undefined
  }
}
