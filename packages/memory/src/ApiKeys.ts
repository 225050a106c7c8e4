/** API keys in memory. */

import { hasExpired } from "@postcode/core/Credits"
import { type Conflict, type InvalidApiKey, keyExpired, type NotFound, notFound } from "@postcode/gateway/Errors"
import {
  type ApiKeyRecord,
  chainOf,
  isExpiring,
  keyStatus,
  maxActiveKeys,
  type PatchedKey,
  type Principal,
  patchKey,
  replacementConflict,
  tooManyKeys
} from "@postcode/gateway/keys/ApiKey"
import { ApiKeys, maxTakenKeys } from "@postcode/gateway/keys/ApiKeys"
import { organizationClosed } from "@postcode/gateway/organizations/Organization"
import { Clock, Effect, Exit, Layer } from "effect"
import { DailySpending } from "./credits/DailySpending.ts"
import { MemoryState, type StoredKey, type StoredOrganization } from "./MemoryState.ts"
import { newestFirst } from "./retention/NewestFirst.ts"

export const layerApiKeys: Layer.Layer<ApiKeys, never, MemoryState> = Layer.effect(
  ApiKeys,
  Effect.gen(function* () {
    const { keys, organizations } = yield* MemoryState
    const clock = yield* Clock.Clock
    const byHash = new Map<string, StoredKey>()

    const store = (organization: StoredOrganization, key: ApiKeyRecord, hash: string): void => {
      if (keys.has(key.id) || byHash.has(hash)) throw new Error(`the key ${key.id} is there already`)
      const stored: StoredKey = {
        organization,
        // The organization's copy of the id: a substring of a request would keep the whole request in memory.
        record: { ...key, organization_id: organization.record.id },
        last_used_at: key.last_used_at,
        isExpiryReported: false,
        // One object for the whole chain.
        spending: keys.get(chainOf(key))?.spending ?? new DailySpending(),
        principal: undefined,
        principalOf: undefined
      }
      keys.set(key.id, stored)
      byHash.set(hash, stored)
      organization.keys.push(stored)
    }

    const rotate: Service["rotate"] = ({ at, expires_at, hash, id, revoked_at, successor }) => {
      const stored = keys.get(id)
      if (stored === undefined) return Effect.fail(notFound("key"))
      const conflict = replacementConflict(stored.record, at, successor)
      if (conflict !== undefined) return Effect.fail(conflict)
      const ending = revoked_at === undefined ? 0 : 1
      if (activeKeys(stored.organization, at) - ending >= maxActiveKeys) return Effect.fail(tooManyKeys)
      store(stored.organization, successor, hash)
      const end = { expires_at, ...(revoked_at !== undefined && { revoked_at }), replaced_by: successor.id }
      stored.record = { ...stored.record, ...end }
      return Effect.succeed(recordOf(stored))
    }

    const listed = ({ spending, ...stored }: StoredKey): ApiKeyRecord => {
      const record = recordOf(stored)
      if (record.daily_credit_limit === undefined) return record
      return { ...record, credits_today: spending.on(clock.currentTimeMillisUnsafe())?.charged ?? 0 }
    }

    const list: Service["list"] = (organization_id, page) => {
      const own = organizations.get(organization_id)?.keys
      if (own === undefined) return Effect.fail(notFound("organization"))
      return newestFirst(own.length, (index) => listed(own[index] as StoredKey), page)
    }

    return ApiKeys.of({
      create: (key, hash) =>
        Effect.suspend((): Effect.Effect<void, Conflict | NotFound> => {
          const organization = organizations.get(key.organization_id)
          if (organization === undefined) return Effect.fail(notFound("organization"))
          if (organization.record.status === "closed") return Effect.fail(organizationClosed)
          if (activeKeys(organization, key.created_at) >= maxActiveKeys) return Effect.fail(tooManyKeys)
          store(organization, key, hash)
          return Effect.void
        }),

      findByHash: (hash, now) => use(byHash.get(hash), now),

      findById: (id, now) => use(keys.get(id), now),

      get: (id) =>
        Effect.suspend(() => {
          const stored = keys.get(id)
          return stored === undefined ? Effect.fail(notFound("key")) : Effect.succeed(listed(stored))
        }),

      list: (organization_id, page) => Effect.suspend(() => list(organization_id, page)),

      update: (id, patch, at) => Effect.suspend(() => change(keys.get(id), patch, at)),

      rotate: (rotation) => Effect.suspend(() => rotate(rotation)),

      takeExpiring: (now, notice_ms) =>
        Effect.sync(() => {
          const taken = unreported(keys.values(), now, notice_ms)
          for (const key of taken) key.isExpiryReported = true
          return taken.map(recordOf)
        }),

      revoke: (id, revoked_at) =>
        Effect.suspend(() => {
          const stored = keys.get(id)
          if (stored === undefined) return Effect.fail(notFound("key"))
          const repeated = stored.record.revoked_at !== undefined
          if (!repeated) stored.record = { ...stored.record, revoked_at }
          return Effect.succeed({ record: recordOf(stored), repeated })
        })
    })
  })
)

type Service = ApiKeys["Service"]

const change = (
  stored: StoredKey | undefined,
  patch: Parameters<Service["update"]>[1],
  at: string
): ReturnType<Service["update"]> => {
  if (stored === undefined) return Effect.fail(notFound("key"))
  return Effect.map(Effect.fromResult(patchKey(stored.record, patch, at)), ({ changed, record }): PatchedKey => {
    stored.record = record
    stored.principal = undefined
    return { changed, record: recordOf(stored) }
  })
}

/** The keys that expire soon and were not reported yet, the first to expire first. */
const unreported = (keys: Iterable<StoredKey>, now: string, notice_ms: number): ReadonlyArray<StoredKey> =>
  [...keys]
    .filter(({ isExpiryReported, record }) => !isExpiryReported && isExpiring(record, now, notice_ms))
    .sort((a, b) => endOf(a) - endOf(b))
    .slice(0, maxTakenKeys)

const nobody = Exit.succeed(undefined)
const expired = Exit.fail(keyExpired)

/** Records the use of an active key and returns its principal. */
const use = (stored: StoredKey | undefined, now: string): Exit.Exit<Principal | undefined, InvalidApiKey> => {
  if (stored === undefined || stored.record.revoked_at !== undefined) return nobody
  if (hasExpired(stored.record.expires_at, now)) return expired
  stored.last_used_at = now
  return Exit.succeed(principalOf(stored))
}

const endOf = ({ record }: StoredKey): number => Date.parse(record.expires_at ?? "")

const activeKeys = ({ keys }: StoredOrganization, now: string): number =>
  keys.reduce((count, { record }) => (keyStatus(record, now) === "active" ? count + 1 : count), 0)

const recordOf = ({ last_used_at, record }: Pick<StoredKey, "last_used_at" | "record">): ApiKeyRecord =>
  last_used_at === undefined ? record : { ...record, last_used_at }

/** Cached until the organization changes, because every request needs it. */
const principalOf = (stored: StoredKey): Principal => {
  const { record: organization } = stored.organization
  if (stored.principal !== undefined && stored.principalOf === organization) return stored.principal
  const { allowed_ips, chain_id, environment, id, kind, max_level, organization_id, origins, scopes } = stored.record
  const { rate_limit_per_minute } = stored.record
  const principal: Principal = Object.freeze({
    key_id: id,
    chain_id,
    organization_id,
    kind,
    environment,
    scopes,
    max_level,
    granted_level: organization.granted_level,
    organization_verified: organization.kyb_status === "verified",
    organization_suspended: organization.status !== "active",
    origins,
    allowed_ips,
    rate_limit_per_minute,
    organization_rate_limit_per_minute: organization.rate_limit_per_minute
  })
  stored.principal = principal
  stored.principalOf = organization
  return principal
}
