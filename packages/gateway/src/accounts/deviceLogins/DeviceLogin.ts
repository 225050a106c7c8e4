/**
 * Logins of devices: a program without a browser shows a code, and an account that is signed in to the console agrees.
 * The steps are those of the device authorization grant of OAuth 2.0, RFC 8628.
 */
import type { MemberRole } from "../../ManagementAccess.ts"

/** A login that is not decided, or whose decision the program has not received. */
export interface DeviceLogin {
  /** Hash of the code that the program keeps, with the name of the program. */
  readonly device_hash: string
  /** Keyed hash of the code that a person reads. */
  readonly user_hash: string
  /** What the program calls its machine, or itself. */
  readonly machine: string
  readonly created_at: string
  readonly expires_at: string
}

/** What an account decided. */
export type DeviceDecision =
  | { readonly _tag: "Denied" }
  | {
      readonly _tag: "Approved"
      readonly account_id: string
      readonly organization_id: string
      /** The role of the account in the organization. */
      readonly role: MemberRole
    }

/** What a program learns when it asks. */
export type DevicePoll =
  | { readonly _tag: "Expired" | "Gone" | "Pending" | "TooSoon" }
  | { readonly _tag: "Decided"; readonly login: DeviceLogin; readonly decision: DeviceDecision }

/** The grant type of RFC 8628. */
export const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

/** The lifetime of a login, in milliseconds. */
export const deviceLogin_ms = 10 * 60_000

/** How long a program waits between two requests, in seconds. */
export const pollInterval_s = 5

/** Less than the interval, because networks delay requests differently. */
export const minPoll_ms = 4_000

/** Maximum number of logins that wait at a time. */
export const maxDeviceLogins = 50_000

/** Programs that may start in a minute from one address. */
export const deviceLogins_per_minute = 30

/** The lifetime of a key that a login creates. */
export const deviceKey_ms = 90 * 24 * 3_600_000

/** Characters of a device code: 256 random bits. */
export const deviceCodeLength = 43

const userCodeLength = 8

/** Consonants that are not mistaken for one another, and make no words: RFC 8628, 6.1. */
const userCodeLetters = /[BCDFGHJKLMNPQRSTVWXZ]/g

/**
 * A code such as `WDJB-MJHT`, of 34 random bits.
 *
 * @param random returns this many characters of `[0-9A-Za-z]`
 */
export const makeUserCode = (random: (length: number) => string): string => {
  let letters = ""
  while (letters.length < userCodeLength) letters += random(32).match(userCodeLetters)?.join("") ?? ""
  return `${letters.slice(0, 4)}-${letters.slice(4, userCodeLength)}`
}

/** A code as a person typed it: in any case, and with or without the hyphen. */
export const normalUserCode = (typed: string): string => {
  const letters = typed.toUpperCase().replace(/[^A-Z]/g, "")
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}
