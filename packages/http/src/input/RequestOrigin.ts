/** Which web page a request is for. */
import type { HttpRequest } from "../server/HttpMessage.ts"

/**
 * The web origin that a request counts for; undefined if it comes from no browser.
 *
 * The widget's hosted page is on the origin of the service, and asks in the name of the page that frames it. A page of
 * another origin cannot: no preflight allows the header to it, and where something in front of the service allows it
 * nevertheless, its browser says in `Sec-Fetch-Site`, which no page can set, that the request comes from elsewhere.
 * Browsers send that to addresses of HTTPS and of their own machine.
 */
export const originOf = ({ header }: Pick<HttpRequest, "header">): string | undefined => {
  const site = header("sec-fetch-site")
  const embedding = site === undefined || site === "same-origin" ? header("x-embedding-origin") : undefined
  return embedding ?? header("origin")
}
