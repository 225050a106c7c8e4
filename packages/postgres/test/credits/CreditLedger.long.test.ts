/** The ledger with connections that break again and again, or stay silent. */
import { assert, describe, it } from "@effect/vitest"
import { failsWith, openAccount } from "@postcode/conformance"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { proxyTo } from "../MigratedDatabase.ts"
import { anEntry, atOnce, chargesOf, onDatabase, replicaAt } from "./Ledger.ts"

/** The request ids of an account's charges, in no particular order. */
const references = (charges: ReadonlyArray<{ readonly reference: string }>) => charges.map((entry) => entry.reference)

/** A request may use a connection that was just killed, and the pool has ten of them. */
const overAnotherConnection = { times: 20 }

describe("CreditLedger on PostgreSQL, when connections break under load or stay silent", () => {
  it.live("backends that are killed under load: each success has one entry, and the ledger is consistent", () =>
    onDatabase(() =>
      Effect.gen(function* () {
        const ledger = yield* CreditLedger
        const sql = yield* SqlClient.SqlClient
        const { account, charge } = yield* openAccount(1_000_000)
        const paid: Array<string> = []
        const unanswered: Array<string> = []
        let done = false
        const pay = Effect.gen(function* () {
          while (!done) {
            const asked = charge(1)
            const result = yield* Effect.result(ledger.charge(asked))
            if (result._tag === "Success") paid.push(asked.request_id)
            else {
              assert.strictEqual(result.failure._tag, "Unavailable")
              unanswered.push(asked.request_id)
            }
          }
        })
        let killed = 0
        const kill = Effect.gen(function* () {
          // A busy machine needs time to reconnect, so the number of attempts is not limited.
          for (let i = 0; i < 25 || killed <= 5 || paid.length <= 100; i++) {
            yield* Effect.sleep(40)
            const rows = yield* Effect.retry(
              sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%credit_accounts%'`,
              overAnotherConnection
            )
            killed += rows.length
          }
          done = true
        })
        yield* Effect.all([kill, Effect.replicateEffect(pay, 60, atOnce)], atOnce)
        const { charges } = yield* Effect.retry(chargesOf(account), overAnotherConnection)
        const booked = references(charges)
        assert.strictEqual(new Set(booked).size, booked.length, "a request was charged twice")
        const known = new Set(booked)
        assert.deepStrictEqual(
          paid.filter((request) => !known.has(request)),
          []
        )
        const asked = new Set([...paid, ...unanswered])
        assert.deepStrictEqual(
          booked.filter((request) => !asked.has(request)),
          []
        )
      })
    )
  )

  it.live("a charge without any answer is Unavailable in about 3 s, with all that wait for it, and is made once", () =>
    onDatabase((url) =>
      Effect.gen(function* () {
        const proxy = yield* proxyTo(url)
        const ledger = yield* replicaAt(proxy.url)
        const { account, charge } = yield* openAccount(1_000)
        proxy.lose(anEntry, "breaks", Number.POSITIVE_INFINITY)
        const start_ms = performance.now()
        const took_ms = Effect.sync(() => performance.now() - start_ms)
        const first = yield* Effect.forkChild(
          Effect.andThen(failsWith(ledger.charge(charge(1)), "Unavailable"), took_ms)
        )
        yield* Effect.sleep(100)
        const behind = Array.from({ length: 20 }, () => failsWith(ledger.charge(charge(1)), "Unavailable"))
        yield* Effect.all(behind, atOnce)
        const [first_ms, all_ms] = [yield* Fiber.join(first), yield* took_ms]
        assert.isAbove(first_ms, 2_000)
        // A busy machine takes longer; but waiting charges do not start another 2.5 s after the first has failed.
        assert.isBelow(first_ms, 20_000)
        assert.isBelow(all_ms - first_ms, 2_000)
        assert.strictEqual((yield* chargesOf(account)).charges.length, 1)
        proxy.lose(anEntry, "breaks", 0)
        assert.deepStrictEqual(yield* ledger.charge(charge(1)), { charged: 1, balance: 998 })
      })
    )
  )
})
