/** Organizations in memory. */
import { environments } from "@postcode/core/Credits"
import { type Conflict, type NotFound, notFound } from "@postcode/gateway/Errors"
import {
  kybSubmitted,
  type Organization,
  passesFilter,
  statusConflict
} from "@postcode/gateway/organizations/Organization"
import { changedBy, Organizations, type StatusChanged } from "@postcode/gateway/organizations/Organizations"
import { Clock, Effect, Layer } from "effect"
import { MemoryState, type StoredOrganization } from "../MemoryState.ts"
import { inRequestedOrder } from "../retention/NewestFirst.ts"
import { openOrganization } from "./openOrganization.ts"
import { unusedOrganizations } from "./unusedOrganizations.ts"

export const layerOrganizations: Layer.Layer<Organizations, never, MemoryState> = Layer.effect(
  Organizations,
  Effect.gen(function* () {
    const state = yield* MemoryState
    const { accounts, organizations } = state
    const clock = yield* Clock.Clock
    const inOrder: Array<StoredOrganization> = []

    return Organizations.of({
      create: (organization, opening) =>
        Effect.suspend(() => {
          const { id } = organization
          if (organizations.has(id)) return Effect.die(new Error(`the organization ${id} is there already`))
          const stored = openOrganization(state, organization)
          for (const environment of environments) {
            const entry = { amount: opening[environment], reason: "opening", reference: id } as const
            if (entry.amount > 0) stored.accounts[environment].append(entry, clock.currentTimeMillisUnsafe())
          }
          inOrder.push(stored)
          return Effect.void
        }),

      get: (id) => Effect.suspend(() => succeedOrNotFound(organizations.get(id))),

      list: (filter, page) =>
        Effect.suspend(() => {
          const passed = (record: Organization) => (passesFilter(record, filter) ? record : undefined)
          return inRequestedOrder(
            inOrder.length,
            (index) => passed((inOrder[index] as StoredOrganization).record),
            page
          )
        }),

      update: (id, patch) =>
        Effect.suspend(() => {
          const stored = organizations.get(id)
          if (stored !== undefined) stored.record = changedBy(stored.record, patch)
          return succeedOrNotFound(stored)
        }),

      changeStatus: (id, change) =>
        Effect.suspend((): Effect.Effect<StatusChanged, Conflict | NotFound> => {
          const stored = organizations.get(id)
          if (stored === undefined) return Effect.fail(notFound("organization"))
          const conflict = statusConflict(stored.record.status, change.status)
          if (conflict !== undefined) return Effect.fail(conflict)
          const repeated = stored.record.status === change.status
          if (!repeated) stored.record = { ...stored.record, ...change }
          const revoked_keys = change.status === "closed" ? revokeAll(stored, change.status_changed_at) : 0
          return Effect.succeed({ organization: stored.record, repeated, revoked_keys })
        }),

      submitKyb: (id, kyb_submission) =>
        Effect.suspend((): Effect.Effect<Organization, Conflict | NotFound> => {
          const stored = organizations.get(id)
          if (stored === undefined) return Effect.fail(notFound("organization"))
          const { kyb_status } = stored.record
          if (kyb_status === "verified" || kyb_status === "pending") return Effect.fail(kybSubmitted(kyb_status))
          stored.record = { ...stored.record, kyb_status: "pending", kyb_submission }
          return Effect.succeed(stored.record)
        }),

      ...unusedOrganizations(inOrder, accounts)
    })
  })
)

/** Revokes the keys that are not revoked, and returns their number. */
const revokeAll = ({ keys }: StoredOrganization, revoked_at: string): number => {
  const unrevoked = keys.filter(({ record }) => record.revoked_at === undefined)
  for (const key of unrevoked) key.record = { ...key.record, revoked_at }
  return unrevoked.length
}

const succeedOrNotFound = (stored: StoredOrganization | undefined) =>
  stored === undefined ? Effect.fail(notFound("organization")) : Effect.succeed(stored.record)
