/**
 * API keys: format, checksum, rights and the decisions on them.
 *
 * A key is `prefix + 32 random characters + 6 characters of checksum`, all of `[0-9A-Za-z]` after the prefix. The
 * checksum is the CRC-32 of everything before it in base 62: it detects typos without the store, and lets secret
 * scanners verify matches. Only a hash of a key is ever stored.
 */

import {
  type AccessLevel,
  cap,
  publishableLookupLevel,
  searchNamesLevel,
  sessionLookupLevel
} from "@postcode/core/AccessLevel"
import { type Environment, hasExpired, verificationFault } from "@postcode/core/Credits"
import { Result } from "effect"
import {
  AddressNotAllowed,
  AuthRequired,
  Conflict,
  InsufficientScope,
  InvalidParameter,
  KeyTypeNotAllowed,
  type KybRequired,
  LevelNotGranted,
  type OrganizationSuspended,
  OriginNotAllowed,
  organizationSuspended
} from "../Errors.ts"
import { keyLimits } from "../InputLimits.ts"
import { parseAddress } from "../webhooks/NetworkAddress.ts"
import { isAllowedIp } from "./AllowedIps.ts"
import { crc32 } from "./crc32.ts"
import { servesOrigin } from "./WebOrigin.ts"

/** `secret` for servers; `publishable` for web pages and apps, restricted to the listed origins. */
export type KeyKind = "secret" | "publishable"

/**
 * Rights beyond public access, both from level 2 on. `lookup`: lookups. `search`: names and addresses in the results of
 * reverse and nearby, and codes finer than an LGA from address search.
 */
export type Scope = "search" | "lookup"

/** The state of a key. */
export type KeyStatus = "active" | "expired" | "revoked"

/** All kinds of keys. */
export const keyKinds: ReadonlyArray<KeyKind> = ["secret", "publishable"]

/** All scopes. */
export const scopes: ReadonlyArray<Scope> = ["search", "lookup"]

/** All values of `KeyStatus`. */
export const keyStatuses: ReadonlyArray<KeyStatus> = ["active", "expired", "revoked"]

/** How long a rotated key stays active next to its successor. */
export type Overlap = "now" | "1h" | "24h" | "7d"

/** All values of `Overlap`, the shortest first. */
export const overlaps: ReadonlyArray<Overlap> = ["now", "1h", "24h", "7d"]

/** The digits of base 62, in ascending order, for random parts and checksums. */
export const keyAlphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** Number of random characters of a key: 190 bits. */
export const randomLength = 32

/** Maximum number of active keys of an organization. */
export const maxActiveKeys = 100

/** The record of a key, without the key. */
export interface ApiKeyRecord {
  readonly id: string
  readonly organization_id: string
  readonly name: string
  readonly kind: KeyKind
  readonly environment: Environment
  readonly scopes: ReadonlyArray<Scope>
  readonly max_level: AccessLevel
  /** Web origins that may use a publishable key, see `servesOrigin`; empty for a secret key. */
  readonly origins: ReadonlyArray<string>
  /** IP addresses and ranges that may use a secret key, as `canonicalRange` writes them; empty for any address. */
  readonly allowed_ips: ReadonlyArray<string>
  /** Requests per minute; absent for the service's default. */
  readonly rate_limit_per_minute?: number
  /**
   * Credits that the keys of its chain may charge per day, from 00:00 to 24:00 UTC, before this key charges no more. Keys
   * without a limit are not counted. Absent without a limit, which is possible for secret keys only.
   */
  readonly daily_credit_limit?: number
  /** Credits charged today by its chain; only in lists, for keys with a daily limit. */
  readonly credits_today?: number
  /** The first characters of the key, to recognize it. */
  readonly prefix: string
  readonly created_at: string
  readonly last_used_at?: string
  /** The key expires at this time, ISO 8601 as `Date.toISOString` writes it; absent if it never expires. */
  readonly expires_at?: string
  readonly revoked_at?: string
  /** The id of the key that this key replaced. */
  readonly replaces?: string
  /** The first key of its chain, see `chainOf`; absent for a key that replaced none. */
  readonly chain_id?: string
  /** The id of the key that replaced this key. */
  readonly replaced_by?: string
}

/** The authenticated caller: an active key and its organization's current grant. */
export interface Principal {
  readonly key_id: string
  /** The first key of its chain, see `chainOf`; undefined for a key that replaced none. */
  readonly chain_id?: string | undefined
  readonly organization_id: string
  readonly kind: KeyKind
  readonly environment: Environment
  readonly scopes: ReadonlyArray<Scope>
  readonly max_level: AccessLevel
  readonly granted_level: AccessLevel
  /** Whether the organization is verified, which live keys require, see `authorizeVerified`. */
  readonly organization_verified: boolean
  /** Whether the organization is suspended: every request with the key is refused, see `authorizeActive`. */
  readonly organization_suspended: boolean
  readonly origins: ReadonlyArray<string>
  readonly allowed_ips: ReadonlyArray<string>
  readonly rate_limit_per_minute: number | undefined
  /** Requests per minute of all keys of the organization together; undefined for the service's default. */
  readonly organization_rate_limit_per_minute: number | undefined
}

/**
 * The chain of a key: the id of the first key, from which rotations led to this one. Rate limit, daily credit limit and
 * idempotency records belong to the chain: a rotation does not reset them.
 */
export const chainOf = ({ chain_id, id }: Pick<ApiKeyRecord, "chain_id" | "id">): string => chain_id ?? id

const checksumLength = 6

/** The prefix of a key by kind and environment. */
export const keyPrefix = (kind: KeyKind, environment: Environment): string =>
  kind === "publishable" ? "svc_pk_" : environment === "live" ? "svc_live_" : "svc_test_"

/** The prefix of every management key, see `composeManagementKey`. */
export const managementKeyPrefix = "svc_mk_"

/**
 * Builds a key from its random part.
 *
 * @param random `randomLength` characters of `[0-9A-Za-z]`
 */
export const composeKey = (kind: KeyKind, environment: Environment, random: string): string =>
  withChecksum(keyPrefix(kind, environment) + random)

/** Appends its checksum to the prefix and the random part of a key. */
export const withChecksum = (body: string): string => body + checksum(body)

/** Maximum length of a key in characters. */
export const maxKeyLength = keyPrefix("secret", "live").length + randomLength + checksumLength

/**
 * The part of a key that may be shown again: its prefix and four characters. It is copied, because a substring may keep
 * the whole key in memory.
 */
export const visiblePrefix = (key: string): string => Array.from(key.slice(0, key.lastIndexOf("_") + 5)).join("")

/**
 * Whether a string has the format and the checksum of a key. It may still not exist. The comparison need not be
 * constant-time: the checksum is not secret.
 */
export const isWellFormedKey = (key: string): boolean => keyPattern.test(key) && hasChecksum(key)

/** Whether the last characters of a key are the checksum of those before them. */
export const hasChecksum = (key: string): boolean => checksumIn(key) === crc32(key.slice(0, -checksumLength))

/** Whether a text contains a possible key of any kind, active or not. Such a text must not be stored. */
export const containsKey = (text: string): boolean => keyWithin.test(text)

/** The state of a key at a time, see `hasExpired` of core. A revoked key stays revoked after its expiry. */
export const keyStatus = (
  { expires_at, revoked_at }: Pick<ApiKeyRecord, "expires_at" | "revoked_at">,
  now: string
): KeyStatus => (revoked_at !== undefined ? "revoked" : hasExpired(expires_at, now) ? "expired" : "active")

/** Why a new key cannot expire at a time; undefined if it can. A key that never expires has no expiry. */
export const expiryFault = (expires_at: string | undefined, now: string): InvalidParameter | undefined => {
  if (expires_at === undefined) return undefined
  const longest = new Date(Date.parse(now) + maxLifetime_ms).toISOString()
  if (!hasExpired(expires_at, now) && expires_at <= longest) return undefined
  return new InvalidParameter({
    parameter: "expires_at",
    message: `expires_at: expected a time after now, ${now}, and not after ${longest}; leave it out for a key without an end`
  })
}

const maxLifetime_ms = keyLimits.lifetime_days * 86_400_000

/** What its owner should know about an active key; undefined if it can be used as it is. */
export const keyWarning = ({ kind, origins }: Pick<ApiKeyRecord, "kind" | "origins">): string | undefined =>
  kind === "publishable" && origins.length === 0
    ? "no browser can use this key, because it has no origins: add the origins of your pages"
    : undefined

/** How long before its expiry a key is reported, in milliseconds: 7 days. */
export const expiryNotice_ms = 7 * 86_400_000

/**
 * Whether a key is about to expire: it is active at a time, expires within the notice, and was not replaced. A key whose
 * whole lifetime is no longer than the notice never is.
 */
export const isExpiring = (key: ApiKeyRecord, now: string, notice_ms: number): boolean => {
  const { created_at, expires_at, replaced_by } = key
  if (expires_at === undefined || replaced_by !== undefined || keyStatus(key, now) !== "active") return false
  const end_ms = Date.parse(expires_at)
  return end_ms <= Date.parse(now) + notice_ms && end_ms - Date.parse(created_at) > notice_ms
}

/** The error for a key beyond `maxActiveKeys`. */
export const tooManyKeys = new Conflict({
  message: `the organization has ${maxActiveKeys} active keys, which is the limit: revoke a key that is no longer used`
})

/** The fields of a key that can be changed; absent fields stay. Null removes a limit. */
export type KeyPatch = Partial<Pick<ApiKeyRecord, "allowed_ips" | "name" | "origins">> & {
  readonly daily_credit_limit?: number | null
  readonly rate_limit_per_minute?: number | null
}

/** A key after a change. */
export interface PatchedKey {
  readonly record: ApiKeyRecord
  /** The fields that have another value than before, in alphabetical order. */
  readonly changed: ReadonlyArray<keyof KeyPatch>
}

/** Applies a patch to a key that is active at a time. */
export const patchKey = (key: ApiKeyRecord, patch: KeyPatch, now: string): Result.Result<PatchedKey, Conflict> => {
  const status = keyStatus(key, now)
  if (status !== "active") {
    return Result.fail(new Conflict({ message: `this key is ${status}, and only an active key can be changed` }))
  }
  const { daily_credit_limit: credits, rate_limit_per_minute: requests, ...others } = key
  const { allowed_ips = key.allowed_ips, name = key.name, origins = key.origins } = patch
  const { daily_credit_limit = credits, rate_limit_per_minute = requests } = patch
  const record: ApiKeyRecord = {
    ...others,
    name,
    origins,
    allowed_ips,
    ...(typeof rate_limit_per_minute === "number" && { rate_limit_per_minute }),
    ...(typeof daily_credit_limit === "number" && { daily_credit_limit })
  }
  return Result.succeed({ record, changed: patchable.filter((field) => !isSame(key[field], record[field])) })
}

const patchable = ["allowed_ips", "daily_credit_limit", "name", "origins", "rate_limit_per_minute"] as const

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * Why a key cannot be replaced by a successor at a time; undefined if it can. A successor that was made before a change of
 * the key must not take the change back, such as a list of addresses that a leaked key was just bound to.
 */
export const replacementConflict = (
  key: ApiKeyRecord,
  now: string,
  successor: Pick<ApiKeyRecord, keyof KeyPatch> = key
): Conflict | undefined => {
  if (key.replaced_by !== undefined) {
    return new Conflict({ message: `this key was rotated already: its successor is ${key.replaced_by}, rotate that` })
  }
  const status = keyStatus(key, now)
  if (status !== "active") {
    return new Conflict({ message: `this key is ${status}, and only an active key can be rotated: create a new one` })
  }
  return patchable.every((field) => isSame(key[field], successor[field])) ? undefined : changedMeanwhile
}

const changedMeanwhile = new Conflict({ message: "this key was changed meanwhile: rotate it again" })

/** Requires an organization that is not suspended, on every endpoint. */
export const authorizeActive = ({
  organization_suspended
}: Pick<Principal, "organization_suspended">): Result.Result<void, OrganizationSuspended> =>
  organization_suspended ? Result.fail(organizationSuspended) : Result.void

/** Requires a verified organization for live keys. Where a key is optional, a refused key is served as anonymous. */
export const authorizeVerified = ({
  environment,
  organization_verified
}: Pick<Principal, "environment" | "organization_verified">): Result.Result<void, KybRequired> => {
  const fault = verificationFault(environment, organization_verified)
  return fault === undefined ? Result.void : Result.fail(fault)
}

/** The level of a caller's search results: 1 without a key, without the scope, and where verification is missing. */
export const searchLevel = (principal: Principal | undefined): AccessLevel =>
  principal?.scopes.includes("search") === true && Result.isSuccess(authorizeVerified(principal))
    ? servedLevel(principal)
    : 1

/** Whether a caller may see names and addresses in search results, and codes finer than an LGA in address search. */
export const seesNames = (principal: Principal | undefined): boolean => searchLevel(principal) >= searchNamesLevel

/** The highest level that both the key and the organization's grant allow. */
const servedLevel = ({ granted_level, max_level }: Principal): AccessLevel => cap(max_level, granted_level)

/**
 * The level to serve: the requested level, capped at the organization's grant and, for a publishable key, at
 * `publishableLookupLevel`. From level 2 on it fails without a key, for a live key of an unverified organization,
 * without the scope, or above the key's maximum.
 */
export const authorizeLookup = (
  principal: Principal | undefined,
  level: AccessLevel
): Result.Result<AccessLevel, AuthRequired | InsufficientScope | LevelNotGranted | KybRequired> => {
  if (level === 1) return Result.succeed(level)
  if (principal === undefined) {
    return Result.fail(
      new AuthRequired({ message: `level ${level} needs an API key: send it in the X-API-Key header` })
    )
  }
  const verified = authorizeVerified(principal)
  if (Result.isFailure(verified)) return Result.fail(verified.failure)
  if (!principal.scopes.includes("lookup")) return Result.fail(withoutLookupScope)
  if (level > principal.max_level) {
    return Result.fail(
      new LevelNotGranted({ message: `this key may look up to level ${principal.max_level}, not level ${level}` })
    )
  }
  const served = cap(level, principal.granted_level)
  return Result.succeed(principal.kind === "publishable" ? cap(served, publishableLookupLevel) : served)
}

/**
 * The level of lookups in a widget session: the key's maximum, capped at the organization's grant and at
 * `sessionLookupLevel`. Fails without the scope. That the key may be used at all is checked for the session.
 */
export const authorizeSessionLookup = (principal: Principal): Result.Result<AccessLevel, InsufficientScope> =>
  principal.scopes.includes("lookup")
    ? Result.succeed(cap(servedLevel(principal), sessionLookupLevel))
    : Result.fail(withoutLookupScope)

/**
 * Whether a key may send batches, at any level. A publishable key may not: a few batches could use up the balance.
 */
export const authorizeBatch = (
  principal: Principal | undefined
): Result.Result<void, KeyTypeNotAllowed | KybRequired> => {
  if (principal === undefined) return Result.void
  return principal.kind === "publishable" ? Result.fail(batchWithPublishableKey) : authorizeVerified(principal)
}

/**
 * Whether a key may be used from a web origin. A publishable key is restricted to its origins; a request without an
 * `Origin` is not from a browser and passes.
 */
export const authorizeOrigin = (
  principal: Principal,
  origin: string | undefined
): Result.Result<void, OriginNotAllowed> =>
  origin === undefined || servesOrigin(principal, origin)
    ? Result.void
    : Result.fail(
        new OriginNotAllowed({
          message: `this publishable key is not allowed on the origin ${displayOrigin(origin)}: add it to the origins of the key`
        })
      )

/**
 * Whether a key may be used from an IP address.
 *
 * @param addressOf the client's address; called only for keys with a list
 * @param remedy what would allow the address, for the error
 */
export const authorizeAddress = (
  { allowed_ips }: Pick<Principal, "allowed_ips">,
  addressOf: () => string,
  remedy = "add it to the key's allowed_ips"
): Result.Result<void, AddressNotAllowed> => {
  if (allowed_ips.length === 0) return Result.void
  const address = addressOf()
  if (isAllowedIp(allowed_ips, address)) return Result.void
  return Result.fail(
    new AddressNotAllowed({
      message: `this key is not allowed from the address ${displayAddress(address)}: ${remedy}`
    })
  )
}

const withoutLookupScope = new InsufficientScope({ message: "this key lacks the scope `lookup`" })

const batchWithPublishableKey = new KeyTypeNotAllowed({
  message: "a batch needs a secret key: with a publishable key, send one request for each item"
})

const keyPattern = /^svc_(?:test|live|pk)_[0-9A-Za-z]{38}$/
const keyWithin = /svc_(?:test|live|pk|mk)_[0-9A-Za-z]{38}/

const checksum = (body: string): string => {
  let rest = crc32(body)
  let out = ""
  for (let i = 0; i < checksumLength; i++) {
    out = keyAlphabet[rest % 62] + out
    rest = Math.floor(rest / 62)
  }
  return out
}

/** The checksum at the end of a key, a number in base 62. */
const checksumIn = (key: string): number => {
  let value = 0
  for (let i = key.length - checksumLength; i < key.length; i++) value = value * 62 + digitValue(key.charCodeAt(i))
  return value
}

const digitValue = (code: number): number => code - (code < 0x3a ? 0x30 : code < 0x5b ? 0x37 : 0x3d)

const displayAddress = (address: string): string => (parseAddress(address) === undefined ? "that sent it" : address)

/** An origin is shown only if it is well-formed, because a header may contain anything. */
const displayOrigin = (origin: string): string =>
  /^(?:https?|capacitor|ionic):\/\/[a-z0-9.:[\]-]{1,253}$/i.test(origin) ? origin : "that was sent"
