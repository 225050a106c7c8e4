/**
 * Passkeys (WebAuthn): keys on a user's device, used with user verification. Each use signs a challenge of the service
 * that is valid once.
 */
import { Conflict, InvalidParameter, InvalidToken } from "../../Errors.ts"

/** The public part of a passkey. */
export interface Passkey {
  readonly id: string
  readonly account_id: string
  readonly name: string
  /** The credential id, in base64url. */
  readonly credential_id: string
  /** A COSE key, in base64url. */
  readonly public_key: string
  /** The signature counter; always 0 if the authenticator has none. */
  readonly counter: number
  readonly created_at: string
  readonly last_used_at?: string
}

/** A challenge for a device. */
export interface Challenge {
  /** The account that registers a passkey; undefined for sign-in. */
  readonly account_id: string | undefined
  readonly expires_at: string
}

/** The web origin, and the relying party id that passkeys are bound to. */
export interface PasskeySite {
  readonly origin: string
  readonly host: string
}

/** Lifetime of a challenge in milliseconds. */
export const challenge_ms = 5 * 60_000

/**
 * Length of a challenge in characters. Browsers decode and re-encode base64url: 44 characters are exactly 33 bytes, so
 * the text does not change.
 */
export const challengeLength = 44

/** Maximum number of passkeys of an account. */
export const maxPasskeys = 20

/** The error for a passkey that is already registered. */
export const passkeyTaken = new Conflict({ message: "this passkey already belongs to an account" })
/** The error for one passkey too many. */
export const tooManyPasskeys = new Conflict({
  message: `an account can have ${maxPasskeys} passkeys: remove one first`
})

/** The error for every invalid registration, for any reason. */
export const passkeyNotMade = new InvalidParameter({
  parameter: "credential",
  message: "credential: it does not match a challenge for a new passkey of this account: start again"
})

/** The error for every failed sign-in with a passkey, for any reason. */
export const passkeyNotAccepted = new InvalidToken({
  message: "the passkey is not accepted: it is unknown here, or the challenge was not answered in time"
})
