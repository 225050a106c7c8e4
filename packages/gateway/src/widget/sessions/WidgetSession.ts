/**
 * A widget session: one end user, or a visitor without an identifier, on pages with one publishable key, for 15 minutes.
 * It exists only as a signed token; it is not stored.
 */
import type { Environment } from "@postcode/core/Credits"
import { InvalidToken } from "../../Errors.ts"
import type { Principal } from "../../keys/ApiKey.ts"
import type { IdentifierHashes } from "../../store/Secrets.ts"

/** Lifetime of a session in seconds. */
export const sessionLifetime_s = 900

/** Default number of sessions per minute for an address. */
export const defaultSessionRateLimit_per_minute = 30

/** Number of sessions per minute for an identifier of an organization. */
export const identifierRateLimit_per_minute = 10

/** The content of a session's token. */
export interface WidgetSession {
  /** The publishable key that started the session. The session ends with its key. */
  readonly key_id: string
  readonly organization_id: string
  readonly environment: Environment
  /** Undefined for a session without an identifier. */
  readonly identifier_hashes: IdentifierHashes | undefined
  /** Whether the organization's server vouched for the end user, see `UserProof`. */
  readonly proven?: true
  /** The web origin of the page that started the session; undefined outside a browser. */
  readonly origin: string | undefined
  /** Shared by the sessions of one idempotency key, since only the first was charged; absent without such a key. */
  readonly shared_id?: string
}

/** A session whose token and key were checked. */
export interface ActiveSession extends WidgetSession {
  /** By which the uses of the session are counted: its `shared_id`, or the hash of the token. */
  readonly id: string
  /** The session's key and its current rights. */
  readonly principal: Principal
}

/** The error for every invalid session token, whatever the reason. */
export const invalidWidgetSession = new InvalidToken({
  message: "the session token is not valid: start a new session"
})
