/** Months of the ledger: they exist in time, are closed with balances that are compared, and take no entry afterwards. */
import { assert, describe, it } from "@effect/vitest"
import { failsWith, openAccount, unique } from "@postcode/conformance"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import { NoticeLimits } from "@postcode/gateway/notices/Notice"
import { Deferred, Effect, Exit, Fiber, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { chargeAccounts } from "../../../src/credits/chargeTogether.ts"
import { closeMonths } from "../../../src/credits/months/closeMonths.ts"
import { closedMonths, closingsOf } from "../../../src/credits/months/StoredMonths.ts"
import { keepMonths } from "../../../src/maintenance/Maintenance.ts"
import { connectionsTo } from "../../MigratedDatabase.ts"
import { chargesOf } from "../Ledger.ts"
import { grownLedger, monthsAgo, onLedger, passMonths, problemsOf, verified } from "./LedgerMonths.ts"

const monthsClosed = Effect.map(closedMonths, (months) => months.map(({ entries, month }) => [month, entries]))

describe("months of the ledger", () => {
  it.live("are created three months ahead, and charges before and after it are in one ledger", () =>
    onLedger(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ledger = yield* CreditLedger
        const { account, charge } = yield* openAccount(10)
        yield* ledger.charge(charge(1))
        yield* keepMonths()
        yield* ledger.charge(charge(1))
        const places = yield* sql`SELECT DISTINCT tableoid::regclass::text AS name FROM postcode.ledger_entries`
        assert.deepStrictEqual(places, [{ name: `postcode.ledger_entries_${monthsAgo(0).replace("-", "_")}` }])
        const [next] = yield* sql<{ count: number }>`SELECT count(*)::integer AS count FROM pg_inherits
          JOIN pg_class ON pg_class.oid = inhrelid
          WHERE relname IN ${sql.in([-1, -2, -3].map((n) => `ledger_entries_${monthsAgo(n).replace("-", "_")}`))}`
        assert.strictEqual(next?.count, 3)
        assert.strictEqual((yield* chargesOf(account)).balance, 8)
        assert.deepStrictEqual(yield* monthsClosed, [])
      })
    )
  )

  it.live("close a day after their end, with a balance for each account that has entries", () =>
    onLedger(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { account, other } = yield* grownLedger
        yield* keepMonths()
        const expected = [
          [monthsAgo(4), 4],
          [monthsAgo(3), 2],
          [monthsAgo(2), 2]
        ]
        assert.deepStrictEqual(yield* monthsClosed, expected)
        yield* keepMonths()
        assert.deepStrictEqual(yield* monthsClosed, expected)
        const nameOf = ({ environment, organization_id }: typeof account) => `${organization_id} ${environment}`
        assert.sameDeepMembers(
          [...(yield* closingsOf(sql, monthsAgo(4)))],
          [
            { account: nameOf(account), entries: 3, sum: 997, last_number: 3, balance: 997 },
            { account: nameOf(other), entries: 1, sum: 50, last_number: 1, balance: 50 }
          ]
        )
        assert.deepStrictEqual(yield* closingsOf(sql, monthsAgo(2)), [
          { account: nameOf(account), entries: 2, sum: -61, last_number: 7, balance: 1_034 }
        ])
        assert.strictEqual(yield* verified(), 10)
      })
    )
  )

  it.live("take no entry once they are closed", () =>
    onLedger(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { account } = yield* grownLedger
        yield* keepMonths()
        const late = sql`INSERT INTO postcode.ledger_entries
          (organization_id, environment, number, id, amount, reason, reference, balance_after, created_at)
          VALUES (${account.organization_id}, 'test', 100, 'ent_late', 1, 'grant', 'late', 1,
            date_trunc('month', now()) - interval '2 months' + interval '3 days')`
        const { reason } = yield* Effect.flip(late)
        assert.include(String(reason.cause), `violates check constraint "closed"`)
        assert.strictEqual(yield* verified(), 10)
      })
    )
  )

  it.live("stay open if their entries do not sum up, and all later ones with them", () =>
    onLedger(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { account } = yield* grownLedger
        yield* sql`UPDATE postcode.ledger_entries SET amount = amount - 1 WHERE number = 5 AND amount < 0`
        const logged: Array<string> = []
        const log = Logger.map(Logger.formatLogFmt, (line) => logged.push(line))
        yield* Effect.provideService(keepMonths(), Logger.CurrentLoggers, new Set([log]))
        assert.deepStrictEqual(yield* monthsClosed, [[monthsAgo(4), 4]])
        assert.lengthOf(logged, 1)
        assert.include(logged[0], "maintenance put off: to close months of ledger_entries")
        assert.include(yield* problemsOf(), `${account.organization_id} test, entry 5`)
      })
    )
  )

  it.live("close only after every transaction that wrote to them", () =>
    onLedger((url) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ledger = yield* CreditLedger
        const { account } = yield* openAccount(5)
        yield* passMonths(2)
        yield* Effect.provide(keepMonths(), connectionsTo(url))
        yield* sql.unsafe(
          `ALTER TABLE postcode.ledger_entries_${monthsAgo(2).replace("-", "_")} DROP CONSTRAINT closed`
        )
        yield* sql`TRUNCATE postcode.ledger_months, postcode.ledger_closings`
        // A commit that waits, as for a standby, of an entry that was written in time.
        const written = yield* Deferred.make<void>()
        const committed = yield* Deferred.make<void>()
        const writer = yield* Effect.forkChild(
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`UPDATE postcode.credit_accounts SET balance = 7, entries = 2
                WHERE organization_id = ${account.organization_id} AND environment = 'test'`
              yield* sql`INSERT INTO postcode.ledger_entries
                SELECT organization_id, environment, 2, 'ent_2', 2, 'grant', 'slow', NULL, NULL, NULL, 7, created_at
                FROM postcode.ledger_entries WHERE organization_id = ${account.organization_id} AND environment = 'test'`
              yield* Deferred.succeed(written, undefined)
              yield* Deferred.await(committed)
            })
          )
        )
        yield* Deferred.await(written)
        const close = Effect.provide(closeMonths("0"), connectionsTo(url))
        assert.isTrue(Exit.isFailure(yield* Effect.exit(close)))
        yield* Deferred.succeed(committed, undefined)
        yield* Fiber.join(writer)
        yield* close
        assert.deepStrictEqual(yield* monthsClosed, [[monthsAgo(2), 2]])
        assert.strictEqual((yield* ledger.statement(account, { limit: 1, cursor: undefined })).balance, 7)
      })
    )
  )
})

describe("at the end of a month", () => {
  it.live("a clock that is set back makes no entry earlier than the last one", () =>
    onLedger(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ledger = yield* CreditLedger
        const { account, charge } = yield* openAccount(10)
        yield* keepMonths()
        // As if the last entry had been made in the next month, and the clock set back.
        yield* sql`UPDATE postcode.ledger_entries SET created_at = date_trunc('month', now()) + interval '1 month'`
        yield* sql`UPDATE postcode.credit_accounts SET last_entry_at = date_trunc('month', now()) + interval '1 month'`
        yield* ledger.charge(charge(1))
        yield* ledger.grant({ ...account, amount: 5, reference: "r" })
        yield* ledger.charge(charge(1))
        const times =
          yield* sql`SELECT DISTINCT created_at = date_trunc('month', now()) + interval '1 month' AS is_last,
          tableoid::regclass::text AS name FROM postcode.ledger_entries`
        const name = `postcode.ledger_entries_${monthsAgo(-1).replace("-", "_")}`
        assert.deepStrictEqual(times, [{ is_last: true, name }])
        const day = `${monthsAgo(-1)}-01`
        const days = yield* ledger.days("test", { from: day, to: day })
        assert.deepStrictEqual(
          days.map(({ charged }) => charged),
          [2]
        )
        assert.strictEqual(yield* verified(), 4)
      })
    )
  )

  it.live("a clock that is set back into a month that takes no entry fails no charge", () =>
    onLedger(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ledger = yield* CreditLedger
        const { account, charge } = yield* openAccount(10)
        yield* keepMonths()
        // As if the clock had been two months ahead for an hour.
        const name = `postcode.ledger_entries_${monthsAgo(0).replace("-", "_")}`
        yield* sql.unsafe(`ALTER TABLE ${name} ADD CONSTRAINT closed CHECK (false) NOT VALID`)
        yield* sql`INSERT INTO postcode.ledger_months (month) VALUES (to_date(${monthsAgo(0)}, 'YYYY-MM'))`
        assert.deepStrictEqual(yield* ledger.charge(charge(1)), { charged: 1, balance: 9 })
        yield* ledger.grant({ ...account, amount: 5, reference: "r" })
        const { account: other } = yield* openAccount(50)
        assert.strictEqual((yield* chargesOf(other)).balance, 50)
        const times = yield* sql`SELECT created_at = date_trunc('month', now()) + interval '1 month' AS is_next
          FROM postcode.ledger_entries WHERE organization_id IN ${sql.in([account, other].map(({ organization_id }) => organization_id))}
            AND NOT (organization_id = ${account.organization_id} AND number = 1)`
        assert.deepStrictEqual(times, Array(3).fill({ is_next: true }))
        assert.strictEqual(yield* verified(), 4)
      })
    )
  )

  it.live("a charge in doubt that was written before it is found, and charged once", () =>
    onLedger(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { account, charge } = yield* openAccount(10)
        yield* keepMonths()
        const batch = [{ id: "ent_in_doubt", charge: charge(3) }]
        const run = (findWritten: boolean) =>
          Effect.gen(function* () {
            const [outcome] = yield* chargeAccounts(sql, [batch], findWritten, yield* NoticeLimits)
            return outcome?.[0]
          })
        const first = yield* run(false)
        const end = sql`date_trunc('month', now()) - interval '1 microsecond'`
        yield* sql`INSERT INTO postcode.ledger_entries
          SELECT organization_id, environment, number, id, amount, reason, reference, key_id, level, note, balance_after, ${end}
          FROM postcode.ledger_entries`
        yield* sql`DELETE FROM postcode.ledger_entries WHERE created_at > ${end}`
        assert.deepStrictEqual(first, Exit.succeed({ charged: 3, balance: 7 }))
        assert.deepStrictEqual(yield* run(true), first)
        assert.strictEqual((yield* chargesOf(account)).balance, 7)
      })
    )
  )

  it.live("a reference counts once, although its grant was in another month", () =>
    onLedger(() =>
      Effect.gen(function* () {
        const ledger = yield* CreditLedger
        const { account, correction, corrected, grant, granted } = yield* grownLedger
        yield* keepMonths()
        assert.deepStrictEqual(yield* ledger.grant(grant), { ...granted, repeated: true })
        assert.deepStrictEqual(yield* ledger.correct(correction), { ...corrected, repeated: true })
        yield* failsWith(ledger.grant({ ...grant, amount: 101 }), "Conflict")
        yield* failsWith(ledger.correct({ ...correction, note: unique("other") }), "Conflict")
        assert.strictEqual((yield* chargesOf(account)).balance, 1_032)
      })
    )
  )
})
