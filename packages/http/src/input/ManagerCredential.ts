/**
 * The credential of a management request: a bearer token, or the cookie of a console session. Browsers add the cookie to
 * requests of any page, so it is accepted only from the service's own pages.
 */
import { sessionCookie } from "@postcode/api"
import { sessionLifetime_ms } from "@postcode/gateway/accounts/Account"
import type { Credential } from "@postcode/gateway/accounts/authenticateManager"
import { OriginNotAllowed } from "@postcode/gateway/Errors"
import { Redacted, Result } from "effect"
import type { HttpRequest } from "../server/HttpMessage.ts"
import { bearerToken } from "./BearerToken.ts"

/**
 * The credential of a request; undefined if it has none. If there is an Authorization header, even an invalid one, the
 * cookie is ignored.
 *
 * @param publicOrigin the web origin at which browsers reach the service; undefined to use the request's Host
 */
export const managerCredential = (
  request: HttpRequest,
  publicOrigin: string | undefined
): Result.Result<Credential | undefined, OriginNotAllowed> => {
  if (request.header("authorization") !== undefined) {
    const token = bearerToken(request)
    return Result.succeed(
      token !== undefined && /^\S+$/.test(Redacted.value(token)) ? { _tag: "BearerToken", token } : undefined
    )
  }
  const token = sessionTokenIn(request)
  if (token === undefined) return Result.succeed(undefined)
  return Result.map(requireOwnPage(request, publicOrigin), () => ({ _tag: "Session", token }))
}

/**
 * Refuses requests that do not come from a page of the service. Browsers send `Origin` with every request that may
 * change something, and `Sec-Fetch-Site` with nearly all. Headers that a page can set, such as the widget's
 * `X-Embedding-Origin`, are ignored.
 */
export const requireOwnPage = (
  request: HttpRequest,
  publicOrigin: string | undefined
): Result.Result<void, OriginNotAllowed> => {
  const origin = request.header("origin")
  const site = request.header("sec-fetch-site")
  const isReading = request.method === "GET" || request.method === "HEAD"
  const isOwn =
    (site === undefined || site === "same-origin" || (isReading && site === "none")) &&
    (origin === undefined ? isReading || site === "same-origin" : isOwnOrigin(origin, request, publicOrigin))
  return isOwn ? Result.void : Result.fail(anotherSite)
}

/** The `Set-Cookie` header of a console session. An undefined token removes the cookie. */
export const setSessionCookie = (token: Redacted.Redacted<string> | undefined): string => {
  const [value, age_s] = token === undefined ? ["", 0] : [Redacted.value(token), sessionLifetime_ms / 1_000]
  return `${sessionCookie}=${value}; Path=/; Max-Age=${age_s}; Secure; HttpOnly; SameSite=Strict`
}

/** A repeated cookie counts as missing, because it is unknown which one is right. */
const sessionTokenIn = (request: HttpRequest): Redacted.Redacted<string> | undefined => {
  const values = (request.header("cookie") ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${sessionCookie}=`))
    .map((pair) => pair.slice(sessionCookie.length + 1))
  const [value = ""] = values
  return values.length === 1 && /^[0-9A-Za-z]{1,128}$/.test(value) ? Redacted.make(value) : undefined
}

const isOwnOrigin = (origin: string, request: HttpRequest, publicOrigin: string | undefined): boolean => {
  if (publicOrigin !== undefined) return origin === publicOrigin
  const host = request.header("host")?.toLowerCase()
  return host !== undefined && (origin === `https://${host}` || origin === `http://${host}`)
}

const anotherSite = new OriginNotAllowed({
  message:
    "console sessions are valid only on the console's pages, and this request comes from another page. Behind a proxy, set " +
    "POSTCODE_PUBLIC_URL to the address that browsers see"
})
