/** The web origin that a request counts for. */
import type { HttpRequest } from "../server/HttpMessage.ts"

/**
 * The web origin that a request counts for; undefined without a browser.
 *
 * The widget's hosted page is on the origin of the service. It sends the origin of the page that embeds it in
 * `X-Embedding-Origin`. Pages of other origins cannot: preflights do not allow the header. If a proxy allows it,
 * browsers still send `Sec-Fetch-Site`, which pages cannot set. They send it to HTTPS addresses and to their own
 * machine.
 */
export const originOf = ({ header }: Pick<HttpRequest, "header">): string | undefined => {
  const site = header("sec-fetch-site")
  const embedding = site === undefined || site === "same-origin" ? header("x-embedding-origin") : undefined
  return embedding ?? header("origin")
}
