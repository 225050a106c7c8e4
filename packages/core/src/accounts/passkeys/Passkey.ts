/**
 * Passkeys: keys that a person's device holds, and uses only once it has seen that it is the person. Each use answers a
 * challenge of the service, which counts once.
 */
import { Conflict, InvalidParameter, InvalidToken } from "../../Errors.ts"

/** What is known of a passkey. None of it is secret: that stays on the device. */
export interface Passkey {
  readonly id: string
  readonly account_id: string
  readonly name: string
  /** What the device calls it, in base64url. */
  readonly credential_id: string
  /** A COSE key, in base64url. */
  readonly public_key: string
  /** How often it was used, as the device counts; 0 always for one that does not count. */
  readonly counter: number
  readonly created_at: string
  readonly last_used_at?: string
}

/** What a device has to answer. */
export interface Challenge {
  /** Whose passkey is being made; undefined for signing in, where nobody is known yet. */
  readonly account_id: string | undefined
  readonly expires_at: string
}

/** Where a passkey is made or used: a web origin, and the host that passkeys are bound to. */
export interface PasskeySite {
  readonly origin: string
  readonly host: string
}

/** How long a challenge may be answered. */
export const challenge_ms = 5 * 60_000

/**
 * The characters of a challenge. Browsers read them as base64url and write the bytes anew: 44 are 33 bytes and no bit more,
 * so they come back as they went.
 */
export const challengeLength = 44

/** How many passkeys an account may have. */
export const maximumPasskeys = 20

/** Why another passkey is refused. */
export const passkeyTaken = new Conflict({ message: "this passkey belongs to an account already" })
/** Why one more is refused. */
export const tooManyPasskeys = new Conflict({
  message: `an account may have ${maximumPasskeys} passkeys: remove one first`
})

/** What every answer of a device fails with that is not right, whatever the reason: as it is made, and as it is used. */
export const passkeyNotMade = new InvalidParameter({
  parameter: "credential",
  message: "credential: this does not answer a challenge for a new passkey of this account: start again"
})

/** What every sign-in by a passkey fails with, whatever the reason. */
export const passkeyNotAccepted = new InvalidToken({
  message: "the passkey is not accepted: it is unknown here, or the challenge was not answered in time"
})
