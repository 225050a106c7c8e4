/**
 * Conformance suite of the port `Transactions`. Rollback is required, and tested, only where a write can fail
 * after another.
 */
import { assert, layer } from "@effect/vitest"
import { AuditLog } from "@postcode/gateway/audit/AuditLog"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import { Conflict } from "@postcode/gateway/Errors"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { AccessRequests } from "@postcode/gateway/organizations/AccessRequests"
import { Organizations } from "@postcode/gateway/organizations/Organizations"
import { Transactions } from "@postcode/gateway/store/Transactions"
import { Cause, Deferred, Effect, Exit, Fiber, type Layer } from "effect"
import { failsWith } from "../../fixtures/Failures.ts"
import {
  newAccessRequest,
  newEvent,
  nextTimestamp,
  storedKey,
  storedOrganization,
  unique
} from "../../fixtures/Records.ts"

type Ports = AccessRequests | ApiKeys | AuditLog | CreditLedger | Organizations | Transactions

/** Registers the tests of the port `Transactions`. */
export const transactionsSuite = <E>(name: string, adapter: Layer.Layer<Ports, E>): void =>
  layer(adapter, { excludeTestServices: true })(`Transactions ${name}`, (it) => {
    it.effect("work succeeds, fails and dies as it does outside a transaction", () =>
      Effect.gen(function* () {
        const { atomically } = yield* Transactions
        assert.strictEqual(yield* atomically(Effect.succeed(7)), 7)
        const error = new Conflict({ message: "of the work" })
        assert.strictEqual(yield* failsWith(atomically(Effect.fail(error)), "Conflict"), error)
        const broken = yield* Effect.exit(atomically(Effect.die("broken")))
        assert.isTrue(Exit.isFailure(broken) && Cause.hasDies(broken.cause))
      })
    )

    it.effect("all writes of successful work are stored, and the work itself reads them", () =>
      Effect.gen(function* () {
        const { atomically } = yield* Transactions
        const organizations = yield* Organizations
        const made = yield* atomically(writeEverything)
        assert.propertyVal(yield* organizations.get(made.organization_id), "granted_level", 4)
        assert.isUndefined(yield* (yield* ApiKeys).findByHash(made.hash, nextTimestamp()))
        const account = { organization_id: made.organization_id, environment: "live" } as const
        const statement = yield* (yield* CreditLedger).statement(account, { limit: 20, cursor: undefined })
        assert.strictEqual(statement.balance, 15)
        assert.deepStrictEqual(yield* subjectsOf(made.organization_id), [made.organization_id])
      })
    )

    it.effect("nested work is part of the outer transaction", () =>
      Effect.gen(function* () {
        const { atomically } = yield* Transactions
        const made = yield* atomically(Effect.andThen(atomically(writeEverything), atomically(writeEverything)))
        assert.deepStrictEqual(yield* subjectsOf(made.organization_id), [made.organization_id])
      })
    )

    it.effect("a handled failure does not affect the rest of the work", () =>
      Effect.gen(function* () {
        const { atomically } = yield* Transactions
        const requests = yield* AccessRequests
        const work = Effect.gen(function* () {
          const { id } = yield* storedOrganization()
          yield* requests.create(newAccessRequest(id))
          yield* failsWith(requests.create(newAccessRequest(id)), "Conflict")
          yield* failsWith(requests.create(newAccessRequest(unique("org"))), "NotFound")
          yield* failsWith(requests.decide(unique("acr"), decision), "NotFound")
          yield* failsWith((yield* ApiKeys).revoke(unique("key"), nextTimestamp()), "NotFound")
          yield* (yield* AuditLog).append(newEvent({ organization_id: id, subject: id }))
          return id
        })
        const id = yield* atomically(work)
        assert.deepStrictEqual(yield* subjectsOf(id), [id])
      })
    )

    it.effect("concurrent work is isolated", () =>
      Effect.gen(function* () {
        const { atomically } = yield* Transactions
        const works = Array.from({ length: 20 }, (_, i) =>
          i % 2 === 0
            ? Effect.map(onceAvailable(atomically(writeEverything)), ({ organization_id }) => organization_id)
            : Effect.as(
                failsWith(onceAvailable(atomically(Effect.andThen(Effect.yieldNow, refused))), "Conflict"),
                undefined
              )
        )
        const ids = yield* Effect.all(works, { concurrency: "unbounded" })
        for (const id of ids) if (id !== undefined) assert.deepStrictEqual(yield* subjectsOf(id), [id])
      })
    )

    it.effect("interrupted work ends", () =>
      Effect.gen(function* () {
        const { atomically } = yield* Transactions
        const written = yield* Deferred.make<void>()
        const work = Effect.andThen(Effect.andThen(writeEverything, Deferred.succeed(written, undefined)), Effect.never)
        const fiber = yield* Effect.forkChild(atomically(work))
        yield* Deferred.await(written)
        yield* Fiber.interrupt(fiber)
        assert.isDefined(yield* atomically(writeEverything))
      })
    )
  })

/** A store that is too slow on a busy machine is asked again. */
const onceAvailable = <A, E extends { readonly _tag: string }, R>(work: Effect.Effect<A, E, R>) =>
  Effect.retry(work, { while: ({ _tag }) => _tag === "Unavailable" })

/** One write of each kind, starting with a new organization. */
const writeEverything = Effect.gen(function* () {
  const organizations = yield* Organizations
  const { id: organization_id } = yield* storedOrganization({ live: 5 }, { granted_level: 1 })
  const { hash, record } = yield* storedKey(organization_id, { environment: "live" })
  yield* (yield* ApiKeys).revoke(record.id, nextTimestamp())
  yield* (yield* CreditLedger).grant({ organization_id, environment: "live", amount: 10, reference: unique("inv") })
  const request = newAccessRequest(organization_id)
  yield* (yield* AccessRequests).create(request)
  yield* (yield* AccessRequests).decide(request.id, decision)
  assert.propertyVal(yield* organizations.get(organization_id), "granted_level", 4)
  yield* (yield* AuditLog).append(newEvent({ organization_id, subject: organization_id }))
  return { organization_id, hash }
})

const decision = { status: "approved", note: "seen", decided_at: nextTimestamp() } as const

const refused = Effect.fail(new Conflict({ message: "refused" }))

/** The subjects in the audit log of an organization. */
const subjectsOf = (organization_id: string) =>
  Effect.flatMap(AuditLog, ({ list }) =>
    Effect.map(list({ organization_id }, { limit: 20, cursor: undefined }), ({ items }) =>
      items.map(({ subject }) => subject)
    )
  )
