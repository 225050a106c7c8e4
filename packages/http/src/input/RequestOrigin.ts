/** The web origin that a request counts for. */
import type { HttpRequest } from "../server/HttpMessage.ts"

/**
 * The web origin that a request counts for; undefined without a browser.
 *
 * The widget's hosted page is on the origin of the service. It sends the origin of the page that embeds it in
 * `X-Embedding-Origin`, which counts only from that page: browsers send `Sec-Fetch-Site` to HTTPS addresses and to their
 * own machine, and `Origin` with every request of another origin that has such a header. Pages can set neither.
 */
export const originOf = ({ header }: Pick<HttpRequest, "header">): string | undefined => {
  const [origin, site] = [header("origin"), header("sec-fetch-site")]
  const isOwn = site === undefined ? origin === undefined || hostOf(origin) === header("host") : site === "same-origin"
  return (isOwn ? header("x-embedding-origin") : undefined) ?? origin
}

const hostOf = (origin: string): string => origin.replace(/^https?:\/\//, "")
