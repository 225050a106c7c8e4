/**
 * Access rules of each endpoint, as annotations of the contract: the server enforces them and the API description shows
 * them.
 */
import type { AccessLevel } from "@postcode/core/AccessLevel"
import { Context, type Schema } from "effect"

/**
 * The credential that an endpoint requires.
 *
 * - `public`: none; a key that is sent is checked
 * - `key`: any active API key
 * - `publishable`: an active publishable API key
 * - `secret`: an active secret API key; a live one of a verified organization
 * - `session`: the bearer token of a valid widget session
 * - `manager`: the operator token or a management key as bearer token, or a console session cookie; `managementAccess` of gateway lists the calls of each role
 * - `visitor`: none, from the service's own pages: the calls of signing in
 */
export type Access = "public" | "key" | "publishable" | "secret" | "session" | "manager" | "visitor"

export const Access = Context.Reference<Access>("@postcode/api/Access", { defaultValue: () => "public" })

/**
 * Whether a call may cost credits. Such an endpoint takes an `Idempotency-Key` and refuses HEAD, which would charge.
 */
export const Metered = Context.Reference<boolean>("@postcode/api/Metered", { defaultValue: () => false })

/**
 * Whether a call to a metered endpoint with this query, and with or without an API key, is free. Under load such calls
 * are queued with the searches.
 */
export const FreeQuery = Context.Reference<
  (query: { readonly level?: AccessLevel; readonly coordinates?: boolean }, hasKey: boolean) => boolean
>("@postcode/api/FreeQuery", { defaultValue: () => () => false })

/**
 * Whether bodies of a path may have only known fields. A misspelled restriction of the management API would otherwise be
 * ignored. Gateway and widget ignore unknown fields, so that published clients of other versions work.
 */
export const hasStrictBody = (path: string): boolean => path.startsWith("/v1/admin/")

/** What to do instead of changing a field that a call shows and cannot change. */
export const InsteadOfChange = Context.Reference<string | undefined>("@postcode/api/InsteadOfChange", {
  defaultValue: () => undefined
})

/**
 * The list in the body whose items count as one request each against the rate limits. Otherwise a call counts as one
 * request.
 */
export const CountedBy = Context.Reference<string | undefined>("@postcode/api/CountedBy", {
  defaultValue: () => undefined
})

/** A body that may be longer than others. */
export interface LongBody {
  readonly maximum_bytes: number
  /** The name of its list. The items are decoded one by one, so that other requests are answered in between. */
  readonly list: string
  readonly maximumItems: number
  /** The schema of the body with undecoded items in its list. */
  readonly body: Schema.Top
  readonly item: Schema.Top
}

/** Set if the body may be longer than others. */
export const LongBody = Context.Reference<LongBody | undefined>("@postcode/api/LongBody", {
  defaultValue: () => undefined
})

/**
 * Whether an endpoint speaks OAuth 2.0, for clients that know only the standard: the body is a form, a success has no
 * `data` around it, and a failure with status 400 has `error` and `error_description` (RFC 6749, 5).
 */
export const OAuth = Context.Reference<boolean>("@postcode/api/OAuth", { defaultValue: () => false })

/** Whether successful responses come from the directory. Their headers report the directory's version. */
export const FromDirectory = Context.Reference<boolean>("@postcode/api/FromDirectory", { defaultValue: () => false })

/** Whether successful responses name the level served. */
export const Leveled = Context.Reference<boolean>("@postcode/api/Leveled", { defaultValue: () => false })

/** The host that serves an endpoint if gateway and platform (widget) are separate hosts. A single host serves all. */
export type Host = "gateway" | "platform" | "both"

export const Host = Context.Reference<Host>("@postcode/api/Host", { defaultValue: () => "gateway" })

/** Health checks: they report the rate limit but never count against it. */
export const Unlimited = Context.Reference<boolean>("@postcode/api/Unlimited", { defaultValue: () => false })

/**
 * The cookie of a console session. Its prefix makes browsers reject it without Secure, or with a Domain or a path, so
 * that no other site on the domain can set it.
 */
export const sessionCookie = "__Host-postcode_session"
