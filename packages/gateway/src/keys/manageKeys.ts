/** Creates, changes, rotates and revokes API keys. */

import { Effect, Redacted } from "effect"
import type { AuditEvent, AuditLog } from "../audit/AuditLog.ts"
import { audited, entryOf, newId, timestamp } from "../audit/audit.ts"
import {
  type Conflict,
  InsufficientScope,
  InvalidParameter,
  KybRequired,
  LevelNotGranted,
  type NotFound,
  type Unavailable
} from "../Errors.ts"
import { publishableDailyCreditLimit } from "../InputLimits.ts"
import { type Manager, permitFound, permitOn } from "../ManagementAccess.ts"
import type { Organization } from "../organizations/Organization.ts"
import { Organizations } from "../organizations/Organizations.ts"
import type { Page, PageRequest } from "../Page.ts"
import { Secrets } from "../store/Secrets.ts"
import type { Transactions } from "../store/Transactions.ts"
import { announced } from "../webhooks/announced.ts"
import type { EventContent } from "../webhooks/Webhook.ts"
import type { Webhooks } from "../webhooks/Webhooks.ts"
import {
  type ApiKeyRecord,
  chainOf,
  composeKey,
  expiryFault,
  type KeyKind,
  type KeyPatch,
  type Overlap,
  randomLength,
  replacementConflict,
  visiblePrefix
} from "./ApiKey.ts"
import { ApiKeys } from "./ApiKeys.ts"
import { KeyRateLimits } from "./KeyRateLimits.ts"

/** The rights and limits of a new key. */
export type KeyRequest = Pick<
  ApiKeyRecord,
  | "daily_credit_limit"
  | "environment"
  | "expires_at"
  | "kind"
  | "max_level"
  | "name"
  | "origins"
  | "rate_limit_per_minute"
  | "scopes"
> &
  Partial<Pick<ApiKeyRecord, "allowed_ips">>

/** A new key. The key itself is never returned again. */
export interface CreatedKey {
  readonly record: ApiKeyRecord
  readonly secret: Redacted.Redacted<string>
}

/** The successor of a key. */
export interface RotatedKey extends CreatedKey {
  /** The replaced key after the rotation. */
  readonly replaced: ApiKeyRecord
}

type Refused = LevelNotGranted | InsufficientScope | InvalidParameter | KybRequired | NotFound | Unavailable

/** For a member, keys of other organizations fail with `NotFound`. */
export interface ManageKeys {
  /**
   * A key's kind, environment, rights and expiry never change. A publishable key without a daily limit gets `publishableDailyCreditLimit`.
   * A member cannot set a rate limit above the service's default, which protects the service. An organization has a
   * limit over all its keys, and at most `maxActiveKeys` keys; one more fails with `Conflict`.
   */
  readonly create: (
    organization_id: string,
    request: KeyRequest,
    manager: Manager
  ) => Effect.Effect<CreatedKey, Conflict | Refused>
  /**
   * Changes the name, the origins of a publishable key, the allowed addresses of a secret key, and limits, with the same
   * rules as for a new key. Null as a limit means the default of a new key. An inactive key fails with `Conflict`. A
   * change of nothing adds no audit entry.
   */
  readonly update: (
    id: string,
    patch: KeyPatch,
    manager: Manager
  ) => Effect.Effect<ApiKeyRecord, Conflict | InsufficientScope | InvalidParameter | NotFound | Unavailable>
  /** Newest first, including revoked and expired keys. */
  readonly list: (
    organization_id: string,
    page: PageRequest,
    manager: Manager
  ) => Effect.Effect<Page<ApiKeyRecord>, InsufficientScope | InvalidParameter | NotFound | Unavailable>
  /**
   * Creates a key with the same rights, limits and lifetime, and ends the old key after the overlap. Fails if such a
   * key could not be created now. An active key can be rotated once; of concurrent rotations, one succeeds and the
   * others fail with `Conflict`.
   */
  readonly rotate: (id: string, overlap: Overlap, manager: Manager) => Effect.Effect<RotatedKey, Conflict | Refused>
  /** Takes effect immediately on this replica. Repeating it returns the same and adds no audit entry. */
  readonly revoke: (
    id: string,
    manager: Manager
  ) => Effect.Effect<ApiKeyRecord, InsufficientScope | NotFound | Unavailable>
}

type Ports = ApiKeys | AuditLog | Organizations | Secrets | Transactions | Webhooks

/** Every change is stored in one transaction with its audit entry and its events. */
export const manageKeys: Effect.Effect<ManageKeys, never, Ports> = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const organizations = yield* Organizations
  const secrets = yield* Secrets
  const identify = yield* newId
  const withAudit = yield* audited
  const withEvents = yield* announced
  const keyRateLimits = yield* KeyRateLimits

  /** Why a manager may not set a rate limit; undefined if it may. */
  const excessOf = (kind: KeyKind, requests: number | null | undefined, { organization_id }: Manager) => {
    const most = keyRateLimits[kind]
    if (organization_id === undefined || (requests ?? 0) <= most) return undefined
    return new InsufficientScope({
      message: `rate_limit_per_minute: a member can set at most the service's ${most} for a ${kind} key; an operator can set more`
    })
  }

  /** A new key that the organization may have, and its hash. */
  const make = Effect.fnUntraced(function* (organization_id: string, request: KeyRequest, now: string) {
    const refusal = refusalOf(yield* organizations.get(organization_id), request, now)
    if (refusal !== undefined) return yield* Effect.fail(refusal)
    const key = composeKey(request.kind, request.environment, secrets.random(randomLength))
    const secret = Redacted.make(key)
    const record: ApiKeyRecord = {
      id: identify("key"),
      organization_id,
      ...withDailyLimit({ ...request, allowed_ips: request.allowed_ips ?? [] }),
      prefix: visiblePrefix(key),
      created_at: now
    }
    return { record, secret, hash: secrets.hash(secret) }
  })

  return {
    create: Effect.fnUntraced(function* (organization_id, request, manager) {
      yield* permitOn(manager, "createKey", organization_id)
      const excess = excessOf(request.kind, request.rate_limit_per_minute, manager)
      if (excess !== undefined) return yield* excess
      const { hash, record, secret } = yield* make(organization_id, request, yield* timestamp)
      yield* withAudit(keys.create(record, hash), () => entryOf(manager.actor, "key.created", record, termsOf(record)))
      return { record, secret }
    }),

    update: Effect.fnUntraced(function* (id, patch, manager) {
      const { kind } = yield* permitFound(manager, "updateKey", keys.get(id), "key")
      const refusal = excessOf(kind, patch.rate_limit_per_minute, manager) ?? boundOtherwise(kind, patch)
      if (refusal !== undefined) return yield* refusal
      const isUnlimited = kind === "publishable" && patch.daily_credit_limit === null
      const resolved = isUnlimited ? { ...patch, daily_credit_limit: publishableDailyCreditLimit } : patch
      const updated = keys.update(id, resolved, yield* timestamp)
      const { record } = yield* withAudit(updated, ({ changed, record: key }) =>
        changed.length === 0
          ? undefined
          : entryOf(manager.actor, "key.updated", key, { prefix: key.prefix, changed: changed.join(", ") })
      )
      return record
    }),

    list: (organization_id, page, manager) =>
      Effect.andThen(permitOn(manager, "listKeys", organization_id), keys.list(organization_id, page)),

    rotate: Effect.fnUntraced(function* (id, overlap, manager) {
      const old = yield* permitFound(manager, "rotateKey", keys.get(id), "key")
      const at = yield* timestamp
      const conflict = replacementConflict(old, at)
      if (conflict !== undefined) return yield* conflict
      const { hash, record, secret } = yield* make(old.organization_id, requestOf(old, at), at)
      const successor = { ...record, replaces: id, chain_id: chainOf(old) }
      const rotation = { id, at, ...endOf(old, overlap, at), successor, hash }
      const details = { ...termsOf(successor), replaced_by: successor.id, overlap, ended_at: rotation.expires_at }
      const rotated = withAudit(keys.rotate(rotation), () => entryOf(manager.actor, "key.rotated", old, details))
      const replaced = yield* withEvents(rotated, (key) => (key.revoked_at === undefined ? [] : [revokedEvent(key)]))
      return { record: successor, secret, replaced }
    }),

    revoke: Effect.fnUntraced(function* (id, manager) {
      yield* permitFound(manager, "revokeKey", keys.get(id), "key")
      const revoked = withAudit(keys.revoke(id, yield* timestamp), ({ record: key, repeated }) =>
        repeated ? undefined : entryOf(manager.actor, "key.revoked", key, { prefix: key.prefix })
      )
      const { record } = yield* withEvents(revoked, ({ record: key, repeated }) =>
        repeated ? [] : [revokedEvent(key)]
      )
      return record
    })
  }
})

const revokedEvent = ({ environment, id, organization_id }: ApiKeyRecord): EventContent => ({
  type: "key.revoked",
  data: { organization_id, environment, key_id: id }
})

const overlap_ms: Readonly<Record<Overlap, number>> = { now: 0, "1h": 3_600_000, "24h": 86_400_000, "7d": 604_800_000 }

/** Why a kind of key cannot have these origins or addresses; undefined if it can. */
const boundOtherwise = (
  kind: KeyKind,
  { allowed_ips = [], origins = [] }: Pick<KeyPatch, "allowed_ips" | "origins">
): InvalidParameter | undefined => {
  if (kind === "secret" && origins.length > 0) {
    return new InvalidParameter({
      parameter: "origins",
      message: "origins: only a publishable key is bound to origins"
    })
  }
  if (kind === "publishable" && allowed_ips.length > 0) {
    return new InvalidParameter({
      parameter: "allowed_ips",
      message: "allowed_ips: only a secret key is bound to addresses, because visitors of a page have any address"
    })
  }
  return undefined
}

/** Why the organization may not have the key; undefined if it may. */
const refusalOf = (
  { granted_level, kyb_status }: Organization,
  request: KeyRequest,
  now: string
): LevelNotGranted | InvalidParameter | KybRequired | undefined => {
  const { environment, expires_at, kind, max_level } = request
  // A grant concerns live data: in test, real units are served at the granted level, those of the sandbox at any.
  if (environment === "live" && max_level > granted_level) {
    return new LevelNotGranted({
      message: `max_level: the organization is granted level ${granted_level}, so a live key may have at most that`
    })
  }
  if (environment === "live" && kyb_status !== "verified") {
    return new KybRequired({ message: "a live key needs a verified business (kyb_status `verified`)" })
  }
  return boundOtherwise(kind, request) ?? expiryFault(expires_at, now)
}

const withDailyLimit = <Request extends KeyRequest>(request: Request): Request =>
  request.kind === "publishable" ? { daily_credit_limit: publishableDailyCreditLimit, ...request } : request

/** The request for a successor: the same rights and, with an expiry, the same lifetime from now. */
const requestOf = (key: ApiKeyRecord, now: string): KeyRequest => {
  const { created_at, daily_credit_limit, environment, expires_at, kind, max_level, name, scopes } = key
  const { allowed_ips, origins, rate_limit_per_minute } = key
  return {
    name,
    kind,
    environment,
    scopes,
    max_level,
    origins,
    allowed_ips,
    ...(rate_limit_per_minute !== undefined && { rate_limit_per_minute }),
    ...(daily_credit_limit !== undefined && { daily_credit_limit }),
    ...(expires_at !== undefined && { expires_at: later(now, Date.parse(expires_at) - Date.parse(created_at)) })
  }
}

/** The new expiry of a replaced key: never later than the old one. */
const endOf = ({ expires_at }: ApiKeyRecord, overlap: Overlap, now: string) => {
  if (overlap === "now") return { expires_at: now, revoked_at: now }
  const end = later(now, overlap_ms[overlap])
  return { expires_at: expires_at !== undefined && expires_at < end ? expires_at : end }
}

const later = (time: string, by_ms: number): string => new Date(Date.parse(time) + by_ms).toISOString()

/** The details of a new key in the audit log. */
const termsOf = (key: ApiKeyRecord): AuditEvent["details"] => {
  const { daily_credit_limit, environment, expires_at, kind, max_level, name, prefix } = key
  return {
    name,
    kind,
    environment,
    max_level,
    prefix,
    ...(daily_credit_limit !== undefined && { daily_credit_limit }),
    ...(expires_at !== undefined && { expires_at })
  }
}
