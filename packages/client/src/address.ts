/** URLs of requests. */

/**
 * The service's base URL, without a slash at the end.
 *
 * @throws TypeError if it is invalid; the message does not repeat it, since it may contain a password
 */
export const baseOf = (baseUrl: string): string => {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    url.username + url.password + url.search + url.hash !== ""
  )
    throw new TypeError(
      "baseUrl: expected an address such as https://gateway.example, without a user, query or fragment"
    )
  const base = url.href.replace(/\/+$/, "")
  if (base.endsWith("/v1"))
    throw new TypeError("baseUrl: expected the address without /v1, which every path begins with")
  return base
}

interface Parts {
  readonly params?: unknown
  readonly query?: unknown
}

/**
 * Replaces each `:name` of the path. Undefined query parameters are omitted.
 *
 * @throws TypeError if a path parameter is missing or would change the path
 */
export const addressOf = (path: string, { params, query }: Parts): string => {
  const given = new Map(Object.entries(params ?? {}))
  const filled = path.replace(/:(\w+)/g, (_, name: string) => segmentOf(name, given.get(name)))
  const asked = Object.entries(query ?? {}).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(asked.map(([name, value]): [string, string] => [name, String(value)]))
  return asked.length === 0 ? filled : `${filled}?${search}`
}

const segmentOf = (name: string, value: unknown): string => {
  if (typeof value !== "string" || /^\.{0,2}$/.test(value)) throw new TypeError(`params.${name}: expected an id`)
  return encodeURIComponent(value)
}
