/** Which web page a request is for. */
import type { Access } from "@postcode/api"
import type { HttpRequest } from "./HttpMessage.ts"

/**
 * The web origin that a request counts for; undefined if it comes from no browser.
 *
 * The widget's hosted page is on the origin of the service, and asks in the name of the page that frames it. No preflight
 * allows its header, so pages of other origins cannot send it and pretend.
 *
 * The management API goes by what the browser itself says, `Origin`, and never by that header: a page of the service could
 * put anything into it, and sessions and passkeys of people are those of the page that asks. See `requireOwnPage`.
 *
 * @param access who the endpoint is for
 */
export const originOf = ({ header }: Pick<HttpRequest, "header">, access: Access): string | undefined =>
  access === "manager" || access === "visitor" ? header("origin") : (header("x-embedding-origin") ?? header("origin"))
