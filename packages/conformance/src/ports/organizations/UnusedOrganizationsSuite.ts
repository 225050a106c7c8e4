/** Unused organizations: a part of the conformance suite of the port `Organizations`. */
import { assert, layer, type Vitest } from "@effect/vitest"
import type { Accounts } from "@postcode/gateway/accounts/Accounts"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { AccessRequests } from "@postcode/gateway/organizations/AccessRequests"
import type { Organization } from "@postcode/gateway/organizations/Organization"
import { maxTakenOrganizations, Organizations } from "@postcode/gateway/organizations/Organizations"
import { Effect, type Layer } from "effect"
import { newAccessRequest, storedKey, storedOrganization, unique } from "../../fixtures/Records.ts"
import { member } from "../accounts/AccountsSuite.ts"

type Ports = AccessRequests | Accounts | ApiKeys | CreditLedger | Organizations
type It = Vitest.MethodsNonLive<Ports>

/**
 * Registers the tests of organizations that are closed because nobody uses them.
 *
 * @param adapter in which no other organization is from before 2002
 * @param untilUseIsStored awaits the last use of an organization's key, if it is stored in the background
 */
export const unusedOrganizationsSuite = <E, R = never>(
  name: string,
  adapter: Layer.Layer<Ports | R, E>,
  untilUseIsStored: (id: string) => Effect.Effect<unknown, unknown, R> = () => Effect.void
): void =>
  layer(adapter, { excludeTestServices: true })(`Unused organizations ${name}`, (it) => {
    addTimeTests(it)
    addUseTests(it, {
      ...uses,
      "a key that was used": (id) => Effect.andThen(useKey(id), untilUseIsStored(id))
    })
    addRaceTests(it)
  })

const addTimeTests = (it: It): void => {
  it.effect("an unused organization is taken once, 14 days before its age, and listed from its time on", () =>
    Effect.gen(function* () {
      const { listClosing, takeUnused } = yield* Organizations
      const id = yield* unusedOrganization
      assert.deepStrictEqual(yield* takeUnused(dayOf(76, -1), rule), [])
      const taken = [{ id, closes_at: dayOf(90) }]
      assert.deepStrictEqual(yield* takeUnused(dayOf(76), rule), taken)
      assert.deepStrictEqual(yield* takeUnused(dayOf(80), rule), [])
      assert.deepStrictEqual(yield* listClosing(dayOf(90, -1)), [])
      assert.deepStrictEqual(yield* listClosing(dayOf(90)), [id])
      yield* close(id)
      assert.deepStrictEqual(yield* listClosing(dayOf(200)), [])
      assert.deepStrictEqual(yield* takeUnused(dayOf(200), rule), [])
    })
  )

  it.effect("one that is older when the rule begins has 14 days, too", () =>
    Effect.gen(function* () {
      const { listClosing, takeUnused } = yield* Organizations
      const id = yield* unusedOrganization
      assert.deepStrictEqual(yield* takeUnused(dayOf(300), rule), [{ id, closes_at: dayOf(314) }])
      assert.deepStrictEqual(yield* listClosing(dayOf(314, -1)), [])
      yield* close(id)
    })
  )
}

type Uses<R> = Readonly<Record<string, (id: string) => Effect.Effect<unknown, unknown, R>>>

const useKey = Effect.fnUntraced(function* (id: string) {
  const keys = yield* ApiKeys
  const { hash } = yield* storedKey(id)
  yield* keys.findByHash(hash, dayOf(40))
})

/** What a use is, by what is used. */
const uses: Uses<Ports> = {
  "a charge": (id) =>
    Effect.gen(function* () {
      const { record } = yield* storedKey(id)
      const of = { organization_id: id, environment: "test", key_id: record.id } as const
      yield* (yield* CreditLedger).charge({ ...of, amount: 1, reason: "lookup", request_id: unique("req") })
    }),
  "granted credits": (id) =>
    Effect.flatMap(CreditLedger, (ledger) =>
      ledger.grant({ organization_id: id, environment: "live", amount: 1, reference: unique("invoice") })
    ),
  "a corrected balance": (id) =>
    Effect.flatMap(CreditLedger, (ledger) => {
      const of = { organization_id: id, environment: "test", reference: unique("case") } as const
      return ledger.correct({ ...of, amount: -10, kind: "adjustment", note: "for a test" })
    }),
  "a verification": (id) =>
    Effect.flatMap(Organizations, (organizations) => {
      const submission = { business_name: "Parcels Ltd", registration_number: "RC 1", submitted_at: dayOf(1) }
      return organizations.submitKyb(id, submission)
    }),
  "a request for a level": (id) => Effect.flatMap(AccessRequests, ({ create }) => create(newAccessRequest(id))),
  "a granted level": (id) => Effect.flatMap(Organizations, ({ update }) => update(id, { granted_level: 2 })),
  "a verified business": (id) => Effect.flatMap(Organizations, ({ update }) => update(id, { kyb_status: "verified" })),
  "a suspension": (id) =>
    Effect.flatMap(Organizations, ({ changeStatus }) =>
      changeStatus(id, { status: "suspended", status_reason: "a bill", status_changed_at: dayOf(1) })
    )
}

const addUseTests = <R>(it: Vitest.MethodsNonLive<Ports | R>, uses: Uses<Ports | R>): void => {
  for (const [name, use] of Object.entries(uses)) {
    it.effect(`${name} keeps an organization, before it is taken and after`, () =>
      Effect.gen(function* () {
        const { listClosing, takeUnused } = yield* Organizations
        const used = yield* unusedOrganization
        yield* use(used)
        const id = yield* unusedOrganization
        assert.deepStrictEqual(yield* takeUnused(dayOf(76), rule), [{ id, closes_at: dayOf(90) }])
        yield* use(id)
        assert.deepStrictEqual(yield* listClosing(dayOf(3_000)), [])
        assert.deepStrictEqual(yield* takeUnused(dayOf(3_000), rule), [])
      })
    )
  }

  it.effect("a key that nobody used, and free charges, keep none; without an owner it is nobody's to tell", () =>
    Effect.gen(function* () {
      const { takeUnused } = yield* Organizations
      const id = yield* unusedOrganization
      const { record } = yield* storedKey(id)
      const of = { organization_id: id, environment: "test", key_id: record.id } as const
      yield* (yield* CreditLedger).charge({ ...of, amount: 0, reason: "lookup", request_id: unique("req") })
      const { id: alone } = yield* storedOrganization({}, unusedFields)
      yield* member("developer", alone)
      assert.deepStrictEqual(yield* takeUnused(dayOf(76), rule), [{ id, closes_at: dayOf(90) }])
      yield* close(id)
    })
  )
}

const addRaceTests = (it: It): void => {
  it.effect("concurrent callers take each organization once, in parts", () =>
    Effect.gen(function* () {
      const { listClosing, takeUnused } = yield* Organizations
      const ids = yield* Effect.replicateEffect(unusedOrganization, maxTakenOrganizations + 5)
      const taken: Array<string> = []
      const take = Effect.repeat(
        Effect.tap(takeUnused(dayOf(80), rule), (some) =>
          Effect.sync(() => {
            assert.isAtMost(some.length, maxTakenOrganizations)
            taken.push(...some.map(({ id }) => id))
          })
        ),
        { while: ({ length }) => length > 0 }
      )
      yield* Effect.replicateEffect(take, 4, { concurrency: "unbounded" })
      yield* take
      assert.sameMembers(taken, ids)
      assert.lengthOf(yield* listClosing(dayOf(200)), maxTakenOrganizations)
      yield* Effect.forEach(ids, close)
    })
  )
}

const rule = { after_days: 90 }

/** A day after the organization was created, and some milliseconds. */
const dayOf = (day: number, and_ms = 0): string =>
  new Date(Date.UTC(2001, 0, 1) + day * 86_400_000 + and_ms).toISOString()

const unusedFields: Partial<Organization> = { granted_level: 1, created_at: dayOf(0) }

/** The id of a new one, with an owner and opening credits. */
const unusedOrganization = Effect.gen(function* () {
  const { id } = yield* storedOrganization({ test: 100 }, unusedFields)
  yield* member("owner", id)
  return id
})

const close = Effect.fnUntraced(function* (id: string) {
  const { changeStatus } = yield* Organizations
  const change = { status_reason: "for a test", status_changed_at: dayOf(300) }
  yield* changeStatus(id, { ...change, status: "suspended" })
  yield* changeStatus(id, { ...change, status: "closed" })
})
