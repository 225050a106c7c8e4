/**
 * Strict reading of query strings: each known parameter once, in valid UTF-8. Unknown parameters are ignored.
 * What a value may be stands in the contract: `parameters.ts` of `@postcode/api`.
 */
import { InvalidParameter } from "@postcode/gateway/Errors"
import { Result } from "effect"

/**
 * The known parameters of a query string. An empty value counts as missing.
 *
 * @param query without the `?`
 * @param known the names that the endpoint reads, and the parameter of each name
 */
export const parseQuery = (
  query: string,
  known: ReadonlyMap<string, string>
): Result.Result<Readonly<Record<string, string>>, InvalidParameter> => {
  const values: Record<string, string> = {}
  const seen = new Map<string, string>()
  for (const part of query.split("&")) {
    const equals = part.includes("=") ? part.indexOf("=") : part.length
    const name = decode(part.slice(0, equals))
    const parameter = name === undefined ? undefined : known.get(name)
    if (name === undefined || parameter === undefined) continue
    const earlier = seen.get(parameter)
    if (earlier === name) return fail(name, "sent more than once: send it once")
    if (earlier !== undefined) return fail(name, `means the same as ${earlier}: send only one of them`)
    seen.set(parameter, name)
    const value = decode(part.slice(equals + 1))
    if (value === undefined) return fail(name, "expected percent-encoded UTF-8")
    if (value !== "") values[parameter] = value
  }
  return Result.succeed(values)
}

const fail = (parameter: string, message: string) =>
  Result.fail(new InvalidParameter({ parameter, message: `${parameter}: ${message}` }))

/**
 * Decodes a form-encoded name or value; undefined if it is invalid. Most need no decoding, and the check is cheaper.
 */
const decode = (text: string): string | undefined => {
  if (!text.includes("%") && !text.includes("+")) return text
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    return undefined
  }
}
