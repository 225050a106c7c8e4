/** Expiry, rotation and limits of keys: between replicas, with broken connections, and in the tables. */
import { assert, describe, it } from "@effect/vitest"
import { failsWith, inOneDay, newKey, nextTimestamp, openAccount, storedKey, unique } from "@postcode/conformance"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import type { ApiKeyRecord } from "@postcode/gateway/keys/ApiKey"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { cleanUp } from "../../src/maintenance/Maintenance.ts"
import { anEntry, atOnce, chargesOf, layerReplica, onDatabase, replicaAt } from "../credits/Ledger.ts"
import { proxyTo } from "../MigratedDatabase.ts"

/** An account with a key that has a daily limit. */
const openLimited = Effect.fnUntraced(function* (opening: number, daily_credit_limit: number) {
  const { account, charge } = yield* openAccount(opening)
  const { record } = yield* storedKey(account.organization_id, { daily_credit_limit })
  return { account, charge: (amount: number) => charge(amount, { key_id: record.id }), key_id: record.id }
})

const rotationOf = (key: ApiKeyRecord, end: { readonly expires_at: string; readonly revoked_at?: string }) => {
  const successor = newKey(key.organization_id, { replaces: key.id })
  return { id: key.id, at: nextTimestamp(), ...end, successor, hash: unique("hash") }
}

const keyDays = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ readonly charged: number; readonly age: number }>`
    SELECT charged::float8, (now() AT TIME ZONE 'UTC')::date - day AS age FROM postcode.key_days ORDER BY day`
)

describe("rotation on PostgreSQL", () => {
  it.live("two replicas that rotate one key concurrently: one succeeds", () =>
    onDatabase((url) =>
      Effect.gen(function* () {
        const here = yield* ApiKeys
        const there = Context.get(yield* Layer.build(Layer.fresh(layerReplica(url))), ApiKeys)
        const { account } = yield* openAccount(0)
        for (let round = 0; round < 10; round++) {
          const { record } = yield* storedKey(account.organization_id)
          const rotations = [here, there, here, there].map((keys) =>
            Effect.result(keys.rotate(rotationOf(record, { expires_at: nextTimestamp() })))
          )
          const results = yield* Effect.all(rotations, atOnce)
          const failures = results.flatMap((result) => (result._tag === "Failure" ? [result.failure._tag] : []))
          assert.deepStrictEqual(failures, Array(3).fill("Conflict"))
        }
        const sql = yield* SqlClient.SqlClient
        const [keys] =
          yield* sql`SELECT count(*)::int AS all, count(replaces)::int AS new, count(replaced_by)::int AS old
          FROM postcode.api_keys k WHERE replaces IS NULL OR EXISTS (
            SELECT FROM postcode.api_keys o WHERE o.id = k.replaces AND o.replaced_by = k.id)`
        assert.deepStrictEqual(keys, { all: 21, new: 10, old: 10 })
      })
    )
  )

  it.live("a replica that charges under a key that another one rotates: nothing is charged after the rotation", () =>
    onDatabase((url) =>
      Effect.gen(function* () {
        const other = yield* replicaAt(url)
        const keys = yield* ApiKeys
        for (let round = 0; round < 3; round++) {
          const { account, charge, key_id } = yield* openAccount(100_000)
          let paid = 0
          const pay: Effect.Effect<string> = Effect.matchEffect(other.charge(charge(1)), {
            onSuccess: () => {
              paid++
              return pay
            },
            onFailure: ({ _tag }) => Effect.succeed(_tag)
          })
          const rotate = Effect.gen(function* () {
            yield* Effect.repeat(Effect.sleep(50), { until: () => paid > 0 })
            const at = nextTimestamp()
            yield* keys.rotate(rotationOf(yield* keys.get(key_id), { expires_at: at, revoked_at: at }))
            return yield* chargesOf(account)
          })
          const [ends, atRotation] = yield* Effect.all([Effect.replicateEffect(pay, 32, atOnce), rotate], atOnce)
          assert.deepStrictEqual(ends, Array(32).fill("InvalidApiKey"))
          assert.isAbove(atRotation.charges.length, 0)
          assert.deepStrictEqual(yield* chargesOf(account), atRotation)
        }
      })
    )
  )
})

describe("daily limits on PostgreSQL", () => {
  it.live("two replicas that charge one key concurrently stop at exactly its limit", () =>
    onDatabase((url) =>
      Effect.gen(function* () {
        yield* inOneDay
        const replicas = [yield* replicaAt(url), yield* replicaAt(url)]
        const { account, charge } = yield* openLimited(100_000, 1_000)
        const pay = Effect.fnUntraced(function* (i: number) {
          const ledger = replicas[i % 2] as (typeof replicas)[number]
          for (const amount of [7, 3, 1]) {
            for (;;) {
              const result = yield* Effect.result(ledger.charge(charge(amount)))
              if (result._tag === "Success") continue
              assert.strictEqual(result.failure._tag, "DailyLimitReached")
              break
            }
          }
        })
        yield* Effect.all(
          Array.from({ length: 40 }, (_, i) => pay(i)),
          atOnce
        )
        assert.strictEqual((yield* chargesOf(account)).balance, 99_000)
        assert.deepStrictEqual(yield* keyDays, [{ charged: 1_000, age: 0 }])
      })
    )
  )

  it.live("a commit whose answer is lost is counted once", () =>
    onDatabase((url) =>
      Effect.gen(function* () {
        yield* inOneDay
        const proxy = yield* proxyTo(url)
        const ledger = yield* replicaAt(proxy.url)
        const { account, charge } = yield* openLimited(100, 3)
        proxy.lose(anEntry, "breaks")
        const receipts = yield* Effect.all([charge(1), charge(2)].map(ledger.charge), atOnce)
        assert.strictEqual(proxy.lost(), 1)
        proxy.cut()
        assert.deepStrictEqual(
          receipts.map(({ charged }) => charged),
          [1, 2]
        )
        assert.deepStrictEqual(yield* keyDays, [{ charged: 3, age: 0 }])
        assert.strictEqual((yield* chargesOf(account)).balance, 97)
        yield* failsWith(ledger.charge(charge(1)), "DailyLimitReached")
      })
    )
  )

  it.live("a new day starts at 0, by the database's clock, and sums older than a day are deleted", () =>
    onDatabase(() =>
      Effect.gen(function* () {
        yield* inOneDay
        const ledger = yield* CreditLedger
        const sql = yield* SqlClient.SqlClient
        const { charge } = yield* openLimited(100, 3)
        for (const age of [1, 2]) {
          yield* ledger.charge(charge(3))
          const { retry_after_s } = yield* failsWith(ledger.charge(charge(1)), "DailyLimitReached")
          const [row] = yield* sql<{ left: number }>`SELECT extract(epoch FROM
            (now() AT TIME ZONE 'UTC')::date + 1 - now() AT TIME ZONE 'UTC')::float8 AS left`
          assert.closeTo(retry_after_s, row?.left ?? 0, 2)
          // As if it had been charged on an earlier day.
          yield* sql`UPDATE postcode.key_days SET day = day - ${3 - age}::integer`
        }
        yield* ledger.charge(charge(1))
        const days = [
          { charged: 3, age: 3 },
          { charged: 3, age: 1 },
          { charged: 1, age: 0 }
        ]
        assert.deepStrictEqual(yield* keyDays, days)
        yield* cleanUp
        assert.deepStrictEqual(yield* keyDays, days.slice(1))
      })
    )
  )

  it.live("keys without a limit have no daily sums", () =>
    onDatabase(() =>
      Effect.gen(function* () {
        const { charge } = yield* openAccount(10)
        yield* (yield* CreditLedger).charge(charge(3))
        assert.deepStrictEqual(yield* keyDays, [])
      })
    )
  )
})
