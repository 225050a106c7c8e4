/** What every adapter of the port `Organizations` must do. */
import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { environments } from "../Credits.ts"
import type { Organization } from "../Organization.ts"
import { CreditLedger } from "../ports/CreditLedger.ts"
import { type OrganizationPatch, Organizations } from "../ports/Organizations.ts"
import { failsWith } from "./Failures.ts"
import { newOrganization, storedOrganization, unique } from "./Fixtures.ts"
import { checkPaging } from "./Paging.ts"

const wholeList = { limit: 100, cursor: undefined }

export const organizationsSuite = <E>(name: string, adapter: Layer.Layer<Organizations | CreditLedger, E>): void =>
  layer(adapter, { excludeTestServices: true })(`Organizations ${name}`, (it) => {
    it.effect("an organization is found as it was stored, with and without a review note", () =>
      Effect.gen(function* () {
        const organizations = yield* Organizations
        for (const fields of [{}, { review_note: "visited on 3 February", kyb_status: "verified" }] as const) {
          const organization = newOrganization(fields)
          yield* organizations.create(organization, { test: 0, live: 0 })
          assert.deepStrictEqual(yield* organizations.get(organization.id), organization)
        }
      })
    )

    it.effect("an organization starts with both accounts; opening credits are the first entry", () =>
      Effect.gen(function* () {
        const ledger = yield* CreditLedger
        const { id: organization_id } = yield* storedOrganization({ test: 1_000, live: 7 })
        for (const environment of environments) {
          const opening = environment === "test" ? 1_000 : 7
          const { balance, entries } = yield* ledger.statement({ organization_id, environment }, wholeList)
          assert.strictEqual(balance, opening)
          assert.strictEqual(entries.items.length, 1)
          assert.deepInclude(entries.items[0], {
            amount: opening,
            reason: "opening",
            reference: organization_id,
            balance_after: opening
          })
        }
      })
    )

    it.effect("an account that opens with nothing has no entry", () =>
      Effect.gen(function* () {
        const { id: organization_id } = yield* storedOrganization()
        for (const environment of environments) {
          const statement = yield* (yield* CreditLedger).statement({ organization_id, environment }, wholeList)
          assert.deepStrictEqual(statement, { balance: 0, entries: { items: [], next_cursor: null } })
        }
      })
    )

    it.effect("an unknown organization is not found and not changed", () =>
      Effect.gen(function* () {
        const organizations = yield* Organizations
        const id = unique("org")
        yield* failsWith(organizations.get(id), "NotFound")
        yield* failsWith(organizations.update(id, { name: "Ghost" }), "NotFound")
        yield* failsWith(organizations.get(id), "NotFound")
      })
    )

    it.effect("an update changes what the patch holds and nothing else, and answers the organization", () =>
      Effect.gen(function* () {
        const organizations = yield* Organizations
        const patches: ReadonlyArray<OrganizationPatch> = [
          { name: "Dangote Logistics" },
          { granted_level: 5, review_note: "seen in person" },
          { kyb_status: "pending" },
          { granted_level: 1 },
          { review_note: "shortened" },
          {}
        ]
        let expected: Organization = yield* storedOrganization()
        for (const patch of patches) {
          expected = { ...expected, ...patch }
          assert.deepStrictEqual(yield* organizations.update(expected.id, patch), expected)
          assert.deepStrictEqual(yield* organizations.get(expected.id), expected)
        }
      })
    )

    it.effect("changes of different fields at the same time are all kept", () =>
      Effect.gen(function* () {
        const organizations = yield* Organizations
        const { id } = yield* storedOrganization()
        const patches: ReadonlyArray<OrganizationPatch> = [
          { name: "Renamed" },
          { granted_level: 4 },
          { kyb_status: "verified" },
          { review_note: "noted" }
        ]
        const updates = Array.from({ length: 40 }, (_, i) => organizations.update(id, patches[i % 4] ?? {}))
        yield* Effect.all(updates, { concurrency: "unbounded" })
        assert.deepInclude(yield* organizations.get(id), Object.assign({}, ...patches) as Organization)
      })
    )

    it.effect("the list is paged, newest first", () =>
      Effect.gen(function* () {
        const { list } = yield* Organizations
        const made = yield* Effect.replicateEffect(storedOrganization(), 5)
        const ids = made.map(({ id }) => id)
        const context = yield* Effect.context<Organizations>()
        const add = Effect.provideContext(storedOrganization(), context)
        yield* checkPaging({ list, idOf: ({ id }) => id, ids, isPrivate: false, add })
      })
    )
  })
