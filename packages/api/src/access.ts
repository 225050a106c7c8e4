/**
 * What an endpoint needs and is, beyond its schemas, as part of the contract: the server enforces it, the interface
 * description shows it.
 */
import type { AccessLevel } from "@postcode/core/AccessLevel"
import { Context } from "effect"

/**
 * Who may call it.
 *
 * - `public`: no credential needed; a key that is sent is checked all the same
 * - `key`: any API key in force
 * - `publishable`: a publishable API key in force
 * - `session`: the bearer token of a widget session in force
 * - `manager`: the operator's bearer token, or the cookie of a session in the console; which of them may make which
 *   call is for core's table to say
 * - `visitor`: whoever is about to sign in, from the service's own pages
 */
export type Access = "public" | "key" | "publishable" | "session" | "manager" | "visitor"

export const Access = Context.Reference<Access>("@postcode/api/Access", { defaultValue: () => "public" })

/**
 * Whether calling an endpoint may cost credits. Such an endpoint takes an `Idempotency-Key`, and refuses HEAD, which
 * would charge.
 */
export const Metered = Context.Reference<boolean>("@postcode/api/Metered", { defaultValue: () => false })

/**
 * Of a metered endpoint: whether a call with this query is free, whatever it finds. A busy service serves such calls with
 * the searches.
 */
export const FreeQuery = Context.Reference<(query: { readonly level?: AccessLevel }) => boolean>(
  "@postcode/api/FreeQuery",
  { defaultValue: () => () => false }
)

/**
 * Whether an endpoint's successes come from the directory of postcodes. The server then says in headers which version of
 * the data answered.
 */
export const FromDirectory = Context.Reference<boolean>("@postcode/api/FromDirectory", { defaultValue: () => false })

/**
 * Where an endpoint is, when the gateway and the platform, which serves the widget, are hosts apart. With one host for
 * both, everything is there.
 */
export type Host = "gateway" | "platform" | "both"

export const Host = Context.Reference<Host>("@postcode/api/Host", { defaultValue: () => "gateway" })

/** Health checks and the like: they show the rate limit but never count against it. */
export const Unlimited = Context.Reference<boolean>("@postcode/api/Unlimited", { defaultValue: () => false })

/**
 * The cookie of a session in the console. Its prefix makes browsers refuse it without Secure, with a Domain, or for a part
 * of the service, so that no other site beside it can set it.
 */
export const sessionCookie = "__Host-postcode_session"
