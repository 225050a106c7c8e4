/**
 * API keys: their format and checksum, what a key may do, and the decision whether it may.
 *
 * A key is `prefix + 32 random characters + 6 characters of checksum`, all of `[0-9A-Za-z]` after the prefix.
 * The checksum is the CRC-32 of everything before it in base 62: a typo is told from an unknown key without the
 * store, and secret scanners can match the whole. Only a hash of a key is ever stored.
 */
import { Result } from "effect"
import type { Environment } from "../credits/Credits.ts"
import {
  AuthenticationRequired,
  Conflict,
  InsufficientLevel,
  InsufficientScope,
  InvalidApiKey,
  KeyTypeNotAllowed,
  KybRequired,
  OriginNotAllowed
} from "../Errors.ts"
import { type AccessLevel, cap, publishableLookupLevel, searchNamesLevel } from "../lookup/AccessLevel.ts"
import { crc32 } from "./crc32.ts"
import { servesOrigin } from "./WebOrigin.ts"

/** `secret` for servers; `publishable` for web pages and apps, bound to the origins that it lists. */
export type KeyKind = "secret" | "publishable"

/**
 * What a key may do beyond what everybody may. `lookup`: lookups from level 2 on, and names in the answers of searches.
 * `search` adds nothing yet, since every search is public.
 */
export type Scope = "search" | "lookup"

/** How a key stands: in force, at its end, or revoked before it. */
export type KeyStatus = "active" | "expired" | "revoked"

/** All kinds of keys. */
export const keyKinds: ReadonlyArray<KeyKind> = ["secret", "publishable"]

/** All scopes. */
export const scopes: ReadonlyArray<Scope> = ["search", "lookup"]

/** All that `KeyStatus` may be. */
export const keyStatuses: ReadonlyArray<KeyStatus> = ["active", "expired", "revoked"]

/** How long a rotated key goes on beside its successor. */
export type Overlap = "now" | "1h" | "24h" | "7d"

/** All that `Overlap` may be, the shortest first. */
export const overlaps: ReadonlyArray<Overlap> = ["now", "1h", "24h", "7d"]

/** What random parts and checksums are made of: the digits of base 62, in ascending order. */
export const keyAlphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** How many random characters a key holds: 190 bits. */
export const randomLength = 32

/** How many active keys an organization may have. */
export const maxActiveKeys = 100

/** What is known of a key; never the key itself. */
export interface ApiKeyRecord {
  readonly id: string
  readonly organization_id: string
  readonly name: string
  readonly kind: KeyKind
  readonly environment: Environment
  readonly scopes: ReadonlyArray<Scope>
  readonly max_level: AccessLevel
  /** Web origins that may use a publishable key; empty for a secret key. */
  readonly origins: ReadonlyArray<string>
  /** Requests a minute; absent where the service's default applies. */
  readonly rate_limit_per_minute?: number
  /**
   * Credits that the key may charge in a day, from 00:00 to 24:00 UTC; absent where only the balance limits it, which is
   * for secret keys alone.
   */
  readonly daily_credit_limit?: number
  /** What it has charged today, where a limit counts it and keys are listed. */
  readonly credits_today?: number
  /** The first characters of the key, enough to recognize it by. */
  readonly prefix: string
  readonly created_at: string
  readonly last_used_at?: string
  /** From this moment on the key is not in force, ISO 8601 as `Date.toISOString` writes it; absent where it never ends. */
  readonly expires_at?: string
  readonly revoked_at?: string
  /** The id of the key in whose place this one came. */
  readonly replaces?: string
  /** The id of the key that came in place of this one. */
  readonly replaced_by?: string
}

/** Who is calling: a key in force, with the level that its organization is granted now. */
export interface Principal {
  readonly key_id: string
  readonly organization_id: string
  readonly kind: KeyKind
  readonly environment: Environment
  readonly scopes: ReadonlyArray<Scope>
  readonly max_level: AccessLevel
  readonly granted_level: AccessLevel
  /** Whether the organization's business is verified now; live keys need that, see `authorizeVerified`. */
  readonly organization_verified: boolean
  readonly origins: ReadonlyArray<string>
  readonly rate_limit_per_minute: number | undefined
  /** Of all keys of the organization together; undefined where the service's default applies. */
  readonly organization_rate_limit_per_minute: number | undefined
}

const checksumLength = 6

/** The prefix of a key by kind and environment. */
export const keyPrefix = (kind: KeyKind, environment: Environment): string =>
  kind === "publishable" ? "svc_pk_" : environment === "live" ? "svc_live_" : "svc_test_"

/**
 * A whole key from its random part.
 *
 * @param random `randomLength` characters of `[0-9A-Za-z]`
 */
export const composeKey = (kind: KeyKind, environment: Environment, random: string): string => {
  const body = keyPrefix(kind, environment) + random
  return body + checksum(body)
}

/** How long a key is at most, in characters. */
export const maxKeyLength = keyPrefix("secret", "live").length + randomLength + checksumLength

/**
 * The part of a key that may be shown again: its prefix and four characters. It is made anew, since a text that is cut out
 * of a longer one may keep all of that in memory.
 */
export const visiblePrefix = (key: string): string => Array.from(key.slice(0, key.lastIndexOf("_") + 5)).join("")

/**
 * Whether a string has the form of a key and its checksum holds. It does not say whether the key exists.
 * The time it takes may tell how much of a checksum is right, which is no secret: whoever has the rest can compute it.
 */
export const isWellFormedKey = (key: string): boolean =>
  keyPattern.test(key) && checksumIn(key) === crc32(key.slice(0, -checksumLength))

/** Whether a text holds what looks like a whole key, in force or not. Such a text is not to be kept. */
export const holdsKey = (text: string): boolean => keyWithin.test(text)

/** What a key fails with that has the right form and is not in force. */
export const keyNotInForce = new InvalidApiKey({ message: "the API key is unknown or revoked" })

/** What a key fails with whose time is over. Only who has the whole key is told so. */
export const keyExpired = new InvalidApiKey({ message: "the API key has expired: create a new one" })

/**
 * Whether the time of a key is over.
 *
 * @param now ISO 8601 as `Date.toISOString` writes it, so that texts compare as their times do
 */
export const hasExpired = (expires_at: string | undefined, now: string): boolean =>
  expires_at !== undefined && expires_at <= now

/** How a key stands at a moment, see `hasExpired`. A key that was revoked stays so when its time is over. */
export const keyStatus = ({ expires_at, revoked_at }: ApiKeyRecord, now: string): KeyStatus =>
  revoked_at !== undefined ? "revoked" : hasExpired(expires_at, now) ? "expired" : "active"

/** Why no other key is created for an organization that has `maxActiveKeys`. */
export const tooManyKeys = new Conflict({
  message: `the organization has ${maxActiveKeys} active keys, which is the limit: revoke a key that is no longer used`
})

/** Why a key cannot be replaced by another at a moment; undefined if it can. */
export const replacementConflict = (key: ApiKeyRecord, now: string): Conflict | undefined => {
  if (key.replaced_by !== undefined) {
    return new Conflict({ message: `this key was rotated already: its successor is ${key.replaced_by}, rotate that` })
  }
  const status = keyStatus(key, now)
  if (status === "active") return undefined
  return new Conflict({ message: `this key is ${status}, and only a key in force can be rotated: create a new one` })
}

/** What a live key fails with whose organization is not verified, or is no longer. */
export const notVerified = new KybRequired({
  message: "the organization of this live key is not verified: have its business verified, or use a test key"
})

/** Whether a key may be used where one is required. Elsewhere a key that may not is served as anonymous. */
export const authorizeVerified = ({
  environment,
  organization_verified
}: Pick<Principal, "environment" | "organization_verified">): Result.Result<void, KybRequired> =>
  environment === "live" && !organization_verified ? Result.fail(notVerified) : Result.void

/** Whether a key may show names, addresses and the like in search results. */
export const seesNames = (principal: Principal | undefined): boolean =>
  principal?.scopes.includes("lookup") === true &&
  Result.isSuccess(authorizeVerified(principal)) &&
  cap(principal.max_level, principal.granted_level) >= searchNamesLevel

/**
 * The level at which a lookup is served: what was asked for, capped at the organization's grant, and for a publishable key
 * at `publishableLookupLevel`. Fails when level 2 and up is asked for without a key, with a live key of an organization that
 * is not verified, without the scope, or above the key's own maximum.
 */
export const authorizeLookup = (
  principal: Principal | undefined,
  level: AccessLevel
): Result.Result<AccessLevel, AuthenticationRequired | InsufficientScope | InsufficientLevel | KybRequired> => {
  if (level === 1) return Result.succeed(level)
  if (principal === undefined) {
    return Result.fail(
      new AuthenticationRequired({ message: `level ${level} needs an API key: send it in the X-API-Key header` })
    )
  }
  const verified = authorizeVerified(principal)
  if (Result.isFailure(verified)) return Result.fail(verified.failure)
  if (!principal.scopes.includes("lookup")) {
    return Result.fail(new InsufficientScope({ message: "this key lacks the scope `lookup`" }))
  }
  if (level > principal.max_level) {
    return Result.fail(
      new InsufficientLevel({ message: `this key may look up to level ${principal.max_level}, not level ${level}` })
    )
  }
  const served = cap(level, principal.granted_level)
  return Result.succeed(principal.kind === "publishable" ? cap(served, publishableLookupLevel) : served)
}

/**
 * Whether a key may send batches, at any level. With a publishable key, a few batches from anywhere would use up the balance.
 */
export const authorizeBatch = (
  principal: Principal | undefined
): Result.Result<void, KeyTypeNotAllowed | KybRequired> => {
  if (principal === undefined) return Result.void
  return principal.kind === "publishable" ? Result.fail(batchWithPublishableKey) : authorizeVerified(principal)
}

/**
 * Whether a key may be used from a web origin. A publishable key is bound to the origins it lists; a request without
 * an `Origin` comes from no browser and passes.
 */
export const authorizeOrigin = (
  principal: Principal,
  origin: string | undefined
): Result.Result<void, OriginNotAllowed> =>
  origin === undefined || servesOrigin(principal, origin)
    ? Result.void
    : Result.fail(
        new OriginNotAllowed({
          message: `this publishable key is not allowed on the origin ${displayOrigin(origin)}: make a key that lists it`
        })
      )

const batchWithPublishableKey = new KeyTypeNotAllowed({
  message: "a batch needs a secret key: with a publishable key, look one postcode up at a time"
})

const keyPattern = /^svc_(?:test|live|pk)_[0-9A-Za-z]{38}$/
const keyWithin = /svc_(?:test|live|pk)_[0-9A-Za-z]{38}/

const checksum = (body: string): string => {
  let rest = crc32(body)
  let out = ""
  for (let i = 0; i < checksumLength; i++) {
    out = keyAlphabet[rest % 62] + out
    rest = Math.floor(rest / 62)
  }
  return out
}

/** The number that a key ends with, in base 62. */
const checksumIn = (key: string): number => {
  let value = 0
  for (let i = key.length - checksumLength; i < key.length; i++) value = value * 62 + digitValue(key.charCodeAt(i))
  return value
}

const digitValue = (code: number): number => code - (code < 0x3a ? 0x30 : code < 0x5b ? 0x37 : 0x3d)

/** An origin is shown only if it looks like one: a header may hold anything. */
const displayOrigin = (origin: string): string =>
  /^https?:\/\/[a-z0-9.:[\]-]{1,253}$/i.test(origin) ? origin : "that was sent"
