/** Which web page a request is for. */
import type { HttpRequest } from "./HttpMessage.ts"

/**
 * The web origin that a request counts for; undefined if it comes from no browser.
 *
 * The widget's hosted page is on the origin of the service, and asks in the name of the page that frames it. No preflight
 * allows its header, so pages of other origins cannot send it and pretend.
 */
export const originOf = ({ header }: Pick<HttpRequest, "header">): string | undefined =>
  header("x-embedding-origin") ?? header("origin")
