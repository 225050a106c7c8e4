/** The sums of credits by day on PostgreSQL, which must always be those of the ledger. */
import { assert, describe, it } from "@effect/vitest"
import { inOneDay, openAccount, unique } from "@postcode/conformance"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { sumUpDays } from "../../src/maintenance/Maintenance.ts"
import { proxyTo } from "../MigratedDatabase.ts"
import { anEntry, atOnce, onDatabase, replicaAt } from "./Ledger.ts"

const ever = { from: "2000-01-01", to: "2100-01-01" }

/** Stored totals, of which the last two days are stored again. */
const totals = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ date: string; charged: number }>`
    SELECT day::text AS date, charged::float8 FROM postcode.credit_totals WHERE environment = 'test' ORDER BY day`
)

const sumsOfLedger = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ date: string; credits: number; charged: number }>`
    SELECT (created_at AT TIME ZONE 'UTC')::date::text AS date,
      coalesce(sum(amount) FILTER (WHERE amount > 0), 0)::float8 AS credits,
      coalesce(-sum(amount) FILTER (WHERE amount < 0), 0)::float8 AS charged
    FROM postcode.ledger_entries WHERE environment = 'test' GROUP BY 1 ORDER BY 1`
)

const sumsOfDays = Effect.flatMap(CreditLedger, (ledger) =>
  Effect.map(ledger.days("test", ever), (days) =>
    days.map(({ charged, date, granted, opening }) => ({ date, credits: opening + granted, charged }))
  )
)

/** Moves everything that was written so far into the past. */
const passDay = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.andThen(
    sql`UPDATE postcode.ledger_entries SET created_at = created_at - interval '1 day'`,
    Effect.andThen(
      sql`UPDATE postcode.credit_days SET day = day - 1`,
      Effect.andThen(
        sql`UPDATE postcode.credit_accounts SET charged_day = charged_day - 1, revision = revision + 1`,
        // Far away first: a row must not meet the one of the day before.
        Effect.andThen(
          sql`UPDATE postcode.credit_totals SET day = day + 10000`,
          sql`UPDATE postcode.credit_totals SET day = day - 10001`
        )
      )
    )
  )
)

describe("credits by day on PostgreSQL", () => {
  it.live("are stored for days that have ended, without gaps, and not for the day of a clock that was ahead", () =>
    onDatabase(() =>
      Effect.gen(function* () {
        yield* inOneDay
        yield* sumUpDays
        assert.deepStrictEqual(yield* totals, [])
        const sql = yield* SqlClient.SqlClient
        const ledger = yield* CreditLedger
        const { charge } = yield* openAccount(100)
        const { charge: chargeOther } = yield* openAccount(100)
        yield* ledger.charge(charge(4))
        yield* Effect.replicateEffect(passDay, 3)
        yield* ledger.charge(chargeOther(3))
        yield* sumUpDays
        const stored = (yield* totals).map(({ charged }) => charged)
        // In the first hour of a day, the day before is not stored yet.
        assert.deepInclude(
          [
            [4, 0, 0],
            [4, 0]
          ],
          stored
        )
        const reported = yield* sumsOfDays
        assert.deepStrictEqual(reported, yield* sumsOfLedger)
        // As if another clock had been a month ahead.
        yield* sql`INSERT INTO postcode.credit_totals
          SELECT environment, day + 30, true, 9, 9, 9, 9, 9 FROM postcode.credit_totals`
        assert.deepStrictEqual(yield* sumsOfDays, reported)
        yield* ledger.charge(charge(2))
        yield* sumUpDays
        assert.lengthOf(yield* totals, stored.length)
        assert.deepStrictEqual(yield* sumsOfDays, yield* sumsOfLedger)
      })
    )
  )

  it.live("are the sums of the ledger, while three replicas charge over several days", () =>
    onDatabase((url) =>
      Effect.gen(function* () {
        yield* inOneDay
        const replicas = [yield* replicaAt(url), yield* replicaAt(url), yield* CreditLedger]
        const opened = yield* Effect.replicateEffect(openAccount(400), 5)
        const [first, ...others] = opened
        for (const accounts of [opened, [first, first], others, opened]) {
          const charges = Array.from({ length: 60 }, (_, i) => {
            const ledger = replicas[i % 3] as CreditLedger["Service"]
            const account = accounts[i % accounts.length]
            return account === undefined ? Effect.void : Effect.result(ledger.charge(account.charge(1 + (i % 3))))
          })
          yield* Effect.all(charges, atOnce)
          assert.deepStrictEqual(yield* sumsOfDays, yield* sumsOfLedger)
          yield* passDay
          assert.deepStrictEqual(yield* sumsOfDays, yield* sumsOfLedger)
          yield* sumUpDays
          assert.deepStrictEqual(yield* sumsOfDays, yield* sumsOfLedger)
        }
        assert.lengthOf(yield* sumsOfDays, 4)
      })
    )
  )

  it.live("count a charge whose answer is lost, and that runs again on the next day, once", () =>
    onDatabase((url) =>
      Effect.gen(function* () {
        yield* inOneDay
        const proxy = yield* proxyTo(url)
        const ledger = yield* replicaAt(proxy.url)
        const { account, charge } = yield* openAccount(10)
        yield* ledger.charge(charge(1))
        yield* passDay
        proxy.lose(anEntry, "breaks")
        assert.deepStrictEqual(yield* ledger.charge(charge(5)), { charged: 5, balance: 4 })
        assert.strictEqual(proxy.lost(), 1)
        yield* ledger.grant({ ...account, amount: 3, reference: unique("invoice") })
        assert.deepStrictEqual(yield* sumsOfDays, yield* sumsOfLedger)
      })
    )
  )

  it.live("a refused charge on another day, which is reported, leaves the sums of the day before", () =>
    onDatabase(() =>
      Effect.gen(function* () {
        yield* inOneDay
        const ledger = yield* CreditLedger
        const { charge } = yield* openAccount(10)
        yield* ledger.charge(charge(4))
        yield* passDay
        yield* Effect.flip(ledger.charge(charge(7)))
        assert.deepStrictEqual(yield* sumsOfDays, yield* sumsOfLedger)
        yield* ledger.charge(charge(6))
        assert.deepStrictEqual(yield* sumsOfDays, yield* sumsOfLedger)
      })
    )
  )
})
