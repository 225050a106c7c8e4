/**
 * What a widget session stands for: one end user, on the pages of one publishable key, for a quarter of an hour. It is
 * held by its token alone; no store knows of it.
 */
import type { Environment } from "../credits/Credits.ts"
import { InvalidToken } from "../Errors.ts"

/** How long a session lasts, in seconds. */
export const sessionLifetime_s = 900

/** How many sessions an address may start a minute, where nothing else is configured. */
export const defaultSessionRateLimit_per_minute = 30

/** How many sessions an organization may start for one identifier a minute. */
export const identifierRateLimit_per_minute = 10

/** The keyed hashes of one identifier, see `Secrets.identifierHashes`: the first is the one under the present pepper. */
export type IdentifierHashes = readonly [present: string, ...former: ReadonlyArray<string>]

/** What a session says of whoever holds its token. */
export interface WidgetSession {
  /** The publishable key that started it: a session ends with its key. */
  readonly key_id: string
  readonly organization_id: string
  readonly environment: Environment
  readonly identifier_hashes: IdentifierHashes
  /** The web origin of the page that started it; undefined if it was no browser. */
  readonly origin: string | undefined
}

/** What every token fails with that is not in force, whatever the reason. */
export const sessionNotInForce = new InvalidToken({
  message: "the session token is not in force here: start another session"
})
