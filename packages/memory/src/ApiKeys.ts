/** API keys in memory. */
import type { ApiKeyRecord, Principal } from "@postcode/core/ApiKey"
import { NotFound } from "@postcode/core/Errors"
import { ApiKeys } from "@postcode/core/ports/ApiKeys"
import { Effect, Exit, Layer } from "effect"
import { MemoryState, noSuchOrganization, type StoredKey } from "./MemoryState.ts"
import { newestFirst } from "./NewestFirst.ts"

export const layerApiKeys: Layer.Layer<ApiKeys, never, MemoryState> = Layer.effect(
  ApiKeys,
  Effect.gen(function* () {
    const { keys, organizations } = yield* MemoryState
    const byHash = new Map<string, StoredKey>()

    const list: ApiKeys["Service"]["list"] = (organization_id, page) => {
      const own = organizations.get(organization_id)?.keys
      if (own === undefined) return Effect.fail(noSuchOrganization)
      return newestFirst(own.length, (index) => recordOf(own[index] as StoredKey), page)
    }

    return ApiKeys.of({
      create: (key, hash) =>
        Effect.suspend(() => {
          const organization = organizations.get(key.organization_id)
          if (organization === undefined) return Effect.fail(noSuchOrganization)
          if (keys.has(key.id) || byHash.has(hash)) return Effect.die(new Error(`the key ${key.id} is there already`))
          const stored: StoredKey = { organization, record: key, last_used_at: key.last_used_at, principal: undefined }
          keys.set(key.id, stored)
          byHash.set(hash, stored)
          organization.keys.push(stored)
          return Effect.void
        }),

      findByHash: (hash, now) => Effect.suspend(() => use(byHash.get(hash), now)),

      findById: (id, now) => Effect.suspend(() => use(keys.get(id), now)),

      get: (id) =>
        Effect.suspend(() => {
          const stored = keys.get(id)
          return stored === undefined ? Effect.fail(noSuchKey) : Effect.succeed(recordOf(stored))
        }),

      list: (organization_id, page) => Effect.suspend(() => list(organization_id, page)),

      revoke: (id, revoked_at) =>
        Effect.suspend(() => {
          const stored = keys.get(id)
          if (stored === undefined) return Effect.fail(noSuchKey)
          const repeated = stored.record.revoked_at !== undefined
          if (!repeated) stored.record = { ...stored.record, revoked_at }
          return Effect.succeed({ record: recordOf(stored), repeated })
        })
    })
  })
)

const nobody = Exit.succeed(undefined)
const noSuchKey = new NotFound({ message: "there is no key with this id" })

/** Marks a key in force as used, and answers its principal. */
const use = (stored: StoredKey | undefined, now: string): Exit.Exit<Principal | undefined> => {
  if (stored === undefined || stored.record.revoked_at !== undefined) return nobody
  stored.last_used_at = now
  return Exit.succeed(principalOf(stored))
}

const recordOf = ({ last_used_at, record }: StoredKey): ApiKeyRecord =>
  last_used_at === undefined ? record : { ...record, last_used_at }

/** The same object again, until the grant changes: every request asks for it. */
const principalOf = (stored: StoredKey): Principal => {
  const { granted_level } = stored.organization.record
  if (stored.principal?.granted_level === granted_level) return stored.principal
  const { environment, id, kind, max_level, organization_id, origins, rate_limit_per_minute, scopes } = stored.record
  const principal: Principal = Object.freeze({
    key_id: id,
    organization_id,
    kind,
    environment,
    scopes,
    max_level,
    granted_level,
    origins,
    rate_limit_per_minute
  })
  stored.principal = principal
  return principal
}
