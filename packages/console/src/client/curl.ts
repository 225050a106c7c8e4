/** Requests as shell commands. */

/** A request without its key. */
export interface ShownRequest {
  readonly method: string
  /** With scheme and host. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON. */
  readonly body?: string | undefined
}

/** The key is `$POSTCODE_KEY`, so that a saved or shared command contains none. */
export const curlOf = ({ body, headers, method, url }: ShownRequest): string =>
  [
    `curl ${method === (body === undefined ? "GET" : "POST") ? "" : `-X ${method} `}${quoted(url)}`,
    `-H "X-API-Key: $POSTCODE_KEY"`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`])
  ].join(" \\\n  ")

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
