/** Organizations in memory. */
import { Organizations } from "@postcode/core/ports/Organizations"
import { Clock, Effect, Layer } from "effect"
import { CreditAccount } from "./CreditAccount.ts"
import { MemoryState, noSuchOrganization, type StoredOrganization } from "./MemoryState.ts"
import { newestFirst } from "./NewestFirst.ts"

export const layerOrganizations: Layer.Layer<Organizations, never, MemoryState> = Layer.effect(
  Organizations,
  Effect.gen(function* () {
    const { organizations } = yield* MemoryState
    const clock = yield* Clock.Clock
    const inOrder: Array<StoredOrganization> = []

    const openAccount = (name: string, opening: number, organization_id: string): CreditAccount => {
      const account = new CreditAccount(name)
      if (opening > 0) account.append(opening, "opening", organization_id, clock.currentTimeMillisUnsafe())
      return account
    }

    return Organizations.of({
      create: (organization, opening) =>
        Effect.suspend(() => {
          const { id } = organization
          if (organizations.has(id)) return Effect.die(new Error(`the organization ${id} is there already`))
          const number = organizations.size + 1
          const stored: StoredOrganization = {
            record: organization,
            accounts: {
              test: openAccount(`t${number}`, opening.test, id),
              live: openAccount(`l${number}`, opening.live, id)
            },
            keys: []
          }
          organizations.set(id, stored)
          inOrder.push(stored)
          return Effect.void
        }),

      get: (id) => Effect.suspend(() => succeedOrNotFound(organizations.get(id))),

      list: (page) => Effect.suspend(() => newestFirst(inOrder.length, (index) => inOrder[index]?.record, page)),

      update: (id, patch) =>
        Effect.suspend(() => {
          const stored = organizations.get(id)
          if (stored !== undefined) stored.record = { ...stored.record, ...patch }
          return succeedOrNotFound(stored)
        })
    })
  })
)

const succeedOrNotFound = (stored: StoredOrganization | undefined) =>
  stored === undefined ? Effect.fail(noSuchOrganization) : Effect.succeed(stored.record)
