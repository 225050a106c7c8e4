/** Links that are sent by mail and work once: to confirm a sign-up or another address, and to get back into an account. */
import { Context } from "effect"
import { InvalidToken } from "../../Errors.ts"

/** What a link is for. `former_address` undoes a change of address. */
export const accountLinkKinds = ["sign_up", "reset_password", "new_address", "former_address"] as const

/** A purpose of a link. */
export type AccountLinkKind = (typeof accountLinkKinds)[number]

/** A link, stored under the hash of its token. */
export interface AccountLink {
  readonly kind: AccountLinkKind
  /** The address to which it was sent. */
  readonly email: string
  /** The account; absent for a sign-up. */
  readonly account_id?: string
  /** For a sign-up, the output of `Passwords.hash`. */
  readonly password?: string
  /** For a sign-up, the versions of the documents that were accepted, see `acceptedVersions`. */
  readonly accepted?: string
  readonly created_at: string
  readonly expires_at: string
  /** Whether it never works: stored for an address that gets no link, so that both take the same time. */
  readonly is_void: boolean
}

/** The lifetime of each kind in milliseconds. */
export const linkLifetime_ms: Readonly<Record<AccountLinkKind, number>> = {
  sign_up: 24 * 3_600_000,
  reset_password: 30 * 60_000,
  new_address: 24 * 3_600_000,
  former_address: 7 * 24 * 3_600_000
}

/** The error for every link that does not work, for any reason. */
export const invalidLink = new InvalidToken({
  message: "the link is not valid: it was used, has expired, or was replaced. Request a new one"
})

/** Where a sign-up comes from, as keyed hashes. */
export interface SignUpOrigin {
  readonly client_hash: string
  /** Of the /24 of IPv4 or the /56 of IPv6. */
  readonly network_hash: string
}

/** How many sign-ups are taken, of all addresses, known or not. */
export interface SignUpLimits {
  readonly client_per_hour: number
  readonly network_per_hour: number
  /** In 24 hours. */
  readonly all_per_day: number
}

/** The limits by default. */
export const defaultSignUpLimits: SignUpLimits = { client_per_hour: 10, network_per_hour: 50, all_per_day: 2_000 }

/** The limits of the stores, which read them when they are built. */
export const SignUpLimits = Context.Reference<SignUpLimits>("@postcode/gateway/SignUpLimits", {
  defaultValue: () => defaultSignUpLimits
})
