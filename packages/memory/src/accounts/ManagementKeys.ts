/** Management keys in memory. */

import { hasExpired } from "@postcode/core/Credits"
import { hasRoleOf, invalidConsoleSession, type Maker } from "@postcode/gateway/accounts/Account"
import {
  type ManagementKey,
  maxManagementKeys,
  tooManyManagementKeys,
  useInterval_ms
} from "@postcode/gateway/accounts/managementKeys/ManagementKey"
import { ManagementKeys } from "@postcode/gateway/accounts/managementKeys/ManagementKeys"
import { notFound } from "@postcode/gateway/Errors"
import { keyStatus } from "@postcode/gateway/keys/ApiKey"
import { organizationClosed } from "@postcode/gateway/organizations/Organization"
import { Effect, Layer } from "effect"
import { MemoryState } from "../MemoryState.ts"
import { newestFirst } from "../retention/NewestFirst.ts"

export const layerManagementKeys: Layer.Layer<ManagementKeys, never, MemoryState> = Layer.effect(
  ManagementKeys,
  Effect.map(MemoryState, ({ accounts, organizations }) => {
    const byId = new Map<string, ManagementKey>()
    const idOfHash = new Map<string, string>()
    /** Ids in order of creation. */
    const idsOf = new Map<string, Array<string>>()

    const keysOf = (organization_id: string): ReadonlyArray<ManagementKey> =>
      (idsOf.get(organization_id) ?? []).map((id) => byId.get(id) as ManagementKey)

    const add = (
      key: ManagementKey,
      hash: string,
      maker: Maker | undefined,
      isReplacement: boolean
    ): ReturnType<Service["replace"]> => {
      const account = maker && accounts.get(maker.id)?.account
      if (maker !== undefined && !(account && hasRoleOf(account, maker))) return Effect.fail(invalidConsoleSession)
      const organization = organizations.get(key.organization_id)
      if (organization === undefined) return Effect.fail(notFound("organization"))
      if (organization.record.status === "closed") return Effect.fail(organizationClosed)
      const own = keysOf(key.organization_id)
      const active = own.filter((other) => isCounted(other, key))
      const replaced = active.filter(({ name }) => isReplacement && name === key.name)
      if (active.length - replaced.length >= maxManagementKeys) return Effect.fail(tooManyManagementKeys)
      byId.set(key.id, key)
      idOfHash.set(hash, key.id)
      idsOf.set(key.organization_id, [...own.map(({ id }) => id), key.id])
      return Effect.succeed(replaced.map((other) => end(other, key.created_at)))
    }

    const use = (hash: string, now: string): ManagementKey | undefined => {
      const key = byId.get(idOfHash.get(hash) ?? "")
      if (key === undefined || isRevoked(key)) return undefined
      if (hasExpired(key.expires_at, now)) return key
      if (Date.parse(now) - Date.parse(key.last_used_at ?? never) < useInterval_ms) return key
      const used = { ...key, last_used_at: now }
      byId.set(key.id, used)
      return used
    }

    const end = (key: ManagementKey, revoked_at: string): ManagementKey => {
      const record = { ...key, revoked_at }
      byId.set(key.id, record)
      return record
    }

    const get: Service["get"] = (id) => {
      const key = byId.get(id)
      return key === undefined ? Effect.fail(notFound("management key")) : Effect.succeed(key)
    }

    const list: Service["list"] = (organization_id, page) => {
      if (!organizations.has(organization_id)) return Effect.fail(notFound("organization"))
      const own = keysOf(organization_id)
      return newestFirst(own.length, (index) => own[index], page)
    }

    return ManagementKeys.of({
      create: (key, hash, maker) => Effect.asVoid(Effect.suspend(() => add(key, hash, maker, false))),
      replace: (key, hash, maker) => Effect.suspend(() => add(key, hash, maker, true)),
      findByHash: (hash, now) => Effect.sync(() => use(hash, now)),
      get: (id) => Effect.suspend(() => get(id)),
      list: (organization_id, page) => Effect.suspend(() => list(organization_id, page)),
      revoke: (id, revoked_at) =>
        Effect.map(
          Effect.suspend(() => get(id)),
          (key) =>
            isRevoked(key) ? { record: key, repeated: true } : { record: end(key, revoked_at), repeated: false }
        ),
      revokeAll: (organization_id, revoked_at) =>
        Effect.sync(
          () =>
            keysOf(organization_id)
              .filter((key) => !isRevoked(key))
              .map((key) => end(key, revoked_at)).length
        ),
      revokeCreatedBy: (account_id, organization_id, keptRoles, revoked_at) =>
        Effect.sync(() =>
          [...byId.values()]
            .filter((key) => key.organization_id === (organization_id ?? key.organization_id))
            .filter((key) => key.created_by === account_id && !isRevoked(key) && !keptRoles.includes(key.role))
            .map((key) => end(key, revoked_at))
        )
    })
  })
)

type Service = ManagementKeys["Service"]

const isRevoked = ({ revoked_at }: ManagementKey): boolean => revoked_at !== undefined

/** Whether a key counts against the maximum when another one of its organization is created. */
const isCounted = (key: ManagementKey, { created_at, created_by }: ManagementKey): boolean =>
  key.created_by === created_by && keyStatus(key, created_at) === "active"

const never = "0000-01-01T00:00:00.000Z"
