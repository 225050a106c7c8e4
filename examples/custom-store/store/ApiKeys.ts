/** API keys in SQLite. */

import { hasExpired } from "@postcode/core/Credits"
import {
  type Conflict,
  type InvalidApiKey,
  type InvalidParameter,
  keyExpired,
  type NotFound,
  notFound
} from "@postcode/gateway/Errors"
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
import { ApiKeys, maxTakenKeys, type Revocation, type Rotation } from "@postcode/gateway/keys/ApiKeys"
import { organizationClosed } from "@postcode/gateway/organizations/Organization"
import type { Page } from "@postcode/gateway/Page"
import { Clock, Effect, Exit, Layer, Result } from "effect"
import { Database, type Row } from "./Database.ts"
import { findOrganization } from "./Organizations.ts"
import { readPage } from "./readPage.ts"
import { spentOn } from "./spentOn.ts"

export const layerApiKeys: Layer.Layer<ApiKeys, never, Database> = Layer.effect(
  ApiKeys,
  Effect.gen(function* () {
    const db = yield* Database
    const clock = yield* Clock.Clock
    // A row written for each request would cost a flush of the disk. The first use is written at once, because it keeps
    // an organization from being closed; the last ones when the store closes.
    const lastUses = new Map<string, string>()
    yield* Effect.addFinalizer(() => Effect.orDie(db.step(() => writeLastUses(db, lastUses))))

    const recordOf = (row: Row): ApiKeyRecord => {
      const record = JSON.parse(String(row.record)) as ApiKeyRecord
      const last_used_at = lastUses.get(record.id)
      return last_used_at === undefined ? record : { ...record, last_used_at }
    }
    const find = (id: string): ApiKeyRecord | undefined => {
      const row = db.get("SELECT record FROM keys WHERE id = ?", id)
      return row && recordOf(row)
    }
    /** With what its chain has charged today, where a limit counts it. */
    const listed = (key: ApiKeyRecord): ApiKeyRecord =>
      key.daily_credit_limit === undefined
        ? key
        : { ...key, credits_today: spentOn(db, chainOf(key), clock.currentTimeMillisUnsafe()) }

    const use = (row: Row | undefined, now: string): Exit.Exit<Principal | undefined, InvalidApiKey> => {
      const key = row && (JSON.parse(String(row.record)) as ApiKeyRecord)
      if (key === undefined || key.revoked_at !== undefined) return Exit.succeed(undefined)
      if (hasExpired(key.expires_at, now)) return Exit.fail(keyExpired)
      const { allowed_ips, chain_id, environment, id, kind, max_level, organization_id, origins, scopes } = key
      const { rate_limit_per_minute } = key
      const organization = findOrganization(db, organization_id)
      const granted_level = organization?.granted_level ?? 1
      if (key.last_used_at === undefined && !lastUses.has(id)) writeLastUses(db, new Map([[id, now]]))
      lastUses.set(id, now)
      const rights = { kind, environment, scopes, max_level, granted_level }
      const limits = { origins, allowed_ips, rate_limit_per_minute }
      const ofOrganization = {
        organization_verified: organization?.kyb_status === "verified",
        organization_suspended: organization?.status !== "active",
        organization_rate_limit_per_minute: organization?.rate_limit_per_minute
      }
      return Exit.succeed({ key_id: id, chain_id, organization_id, ...rights, ...limits, ...ofOrganization })
    }

    const rotate = ({ at, expires_at, hash, id, revoked_at, successor }: Rotation) => {
      const key = find(id)
      if (key === undefined) return Exit.fail(notFound("key"))
      const conflict = replacementConflict(key, at, successor)
      if (conflict !== undefined) return Exit.fail(conflict)
      const ending = revoked_at === undefined ? 0 : 1
      if (activeKeys(db, key.organization_id, at) - ending >= maxActiveKeys) return Exit.fail(tooManyKeys)
      insert(db, successor, hash)
      const end = { expires_at, ...(revoked_at !== undefined && { revoked_at }), replaced_by: successor.id }
      return Exit.succeed(replace(db, { ...key, ...end }))
    }

    return ApiKeys.of({
      create: (key, hash) =>
        db.step<void, Conflict | NotFound>(() => {
          const organization = findOrganization(db, key.organization_id)
          if (organization === undefined) return Exit.fail(notFound("organization"))
          if (organization.status === "closed") return Exit.fail(organizationClosed)
          if (activeKeys(db, key.organization_id, key.created_at) >= maxActiveKeys) return Exit.fail(tooManyKeys)
          insert(db, key, hash)
          return Exit.void
        }),
      findByHash: (hash, now) => db.step(() => use(db.get("SELECT record FROM keys WHERE hash = ?", hash), now)),
      findById: (id, now) => db.step(() => use(db.get("SELECT record FROM keys WHERE id = ?", id), now)),
      get: (id) =>
        db.step(() => {
          const key = find(id)
          return key === undefined ? Exit.fail(notFound("key")) : Exit.succeed(listed(key))
        }),
      list: (organization_id, page) =>
        db.step<Page<ApiKeyRecord>, InvalidParameter | NotFound>(() => {
          if (findOrganization(db, organization_id) === undefined) return Exit.fail(notFound("organization"))
          const itemOf = (row: Row) => listed(recordOf(row))
          return readPage(db, { rows: "keys WHERE organization_id = ?", parameters: [organization_id], itemOf }, page)
        }),
      update: (id, patch, at) =>
        db.step<PatchedKey, Conflict | NotFound>(() => {
          const key = find(id)
          if (key === undefined) return Exit.fail(notFound("key"))
          const patched = patchKey(key, patch, at)
          if (Result.isFailure(patched)) return Exit.fail(patched.failure)
          const { changed, record } = patched.success
          return Exit.succeed({ changed, record: replace(db, record) })
        }),
      rotate: (rotation) => db.step<ApiKeyRecord, Conflict | NotFound>(() => rotate(rotation)),
      takeExpiring: (now, notice_ms) => db.step(() => Exit.succeed(takeExpiring(db, now, notice_ms))),
      revoke: (id, revoked_at) =>
        db.step<Revocation, NotFound>(() => {
          const key = find(id)
          if (key === undefined) return Exit.fail(notFound("key"))
          if (key.revoked_at !== undefined) return Exit.succeed({ record: key, repeated: true })
          return Exit.succeed({ record: replace(db, { ...key, revoked_at }), repeated: false })
        })
    })
  })
)

const activeKeys = (db: Database["Service"], organization_id: string, now: string): number => {
  const rows = [...db.iterate("SELECT record FROM keys WHERE organization_id = ?", organization_id)]
  return rows.filter(({ record }) => keyStatus(JSON.parse(String(record)) as ApiKeyRecord, now) === "active").length
}

/** Reads all keys, which is quick enough for a step every ten minutes. */
const takeExpiring = (db: Database["Service"], now: string, notice_ms: number): ReadonlyArray<ApiKeyRecord> => {
  const rows = [...db.iterate("SELECT record FROM keys WHERE id NOT IN (SELECT id FROM reported_keys)")]
  const taken = rows
    .map(({ record }) => JSON.parse(String(record)) as ApiKeyRecord)
    .filter((key) => isExpiring(key, now, notice_ms))
    .sort((a, b) => ((a.expires_at ?? "") < (b.expires_at ?? "") ? -1 : 1))
    .slice(0, maxTakenKeys)
  for (const { id } of taken) db.run("INSERT INTO reported_keys (id) VALUES (?)", id)
  return taken
}

const insert = (db: Database["Service"], key: ApiKeyRecord, hash: string): void =>
  db.run(
    "INSERT INTO keys (id, hash, organization_id, record) VALUES (?, ?, ?, ?)",
    key.id,
    hash,
    key.organization_id,
    JSON.stringify(key)
  )

const replace = (db: Database["Service"], key: ApiKeyRecord): ApiKeyRecord => {
  db.run("UPDATE keys SET record = ? WHERE id = ?", JSON.stringify(key), key.id)
  return key
}

const writeLastUses = (db: Database["Service"], lastUses: ReadonlyMap<string, string>) => {
  for (const [id, at] of lastUses) {
    db.run("UPDATE keys SET record = json_set(record, '$.last_used_at', ?) WHERE id = ?", at, id)
  }
  return Exit.void
}
