/** Who may call an endpoint, as part of the contract: the server enforces it, the interface description shows it. */
import { Context } from "effect"

/**
 * - `public`: no credential needed; a key that is sent is checked all the same
 * - `key`: any API key in force
 * - `operator`: the operator's bearer token
 */
export type Access = "public" | "key" | "operator"

export const Access = Context.Reference<Access>("@postcode/api/Access", { defaultValue: () => "public" })

/**
 * Whether calling an endpoint may cost credits. Such an endpoint takes an `Idempotency-Key`, and refuses HEAD, which
 * would charge.
 */
export const Metered = Context.Reference<boolean>("@postcode/api/Metered", { defaultValue: () => false })

/** Health checks and the like: they show the rate limit but never count against it. */
export const Unlimited = Context.Reference<boolean>("@postcode/api/Unlimited", { defaultValue: () => false })
