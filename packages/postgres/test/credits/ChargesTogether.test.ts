/** Charges of several accounts in one transaction: none may notice the others. */
import { PgTypes } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { openAccount } from "@postcode/core/credits/CreditAccounts"
import { type Charge, CreditLedger } from "@postcode/core/credits/CreditLedger"
import { ApiKeys } from "@postcode/core/keys/ApiKeys"
import { Organizations } from "@postcode/core/organizations/Organizations"
import { dies } from "@postcode/core/testing/Failures"
import { nextTimestamp, storedKey, unique } from "@postcode/core/testing/Fixtures"
import { Effect, Fiber, Logger, Result } from "effect"
import { SqlClient } from "effect/sql"
import { losingProxy } from "../LosingProxy.ts"
import { quickest_ms } from "../Quickest.ts"
import { randomNumbers } from "../RandomNumbers.ts"
import { anEntry, atOnce, chargesOf, lockAccount, onDatabase, replicaAt } from "./Ledger.ts"

/** What becomes of charges that come in one moment, as receipts or the names of failures. */
const chargeAtOnce = Effect.fnUntraced(function* (charges: ReadonlyArray<Charge>) {
  const ledger = yield* CreditLedger
  const results = yield* Effect.all(
    charges.map((charge) => Effect.result(ledger.charge(charge))),
    atOnce
  )
  return results.map((result) => (result._tag === "Success" ? result.success : result.failure._tag))
})

/** How many transactions have written what was charged. */
const transactions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ count: number }>`
    SELECT count(DISTINCT xmin::text)::integer AS count FROM postcode.ledger_entries WHERE amount < 0`
  return row?.count
})

describe("charges of several accounts that come in one moment", () => {
  it.live("go in one transaction, and each is decided for itself", () =>
    onDatabase(() =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const rich = yield* openAccount(100)
        const poor = yield* openAccount(5)
        const lowered = yield* openAccount(100)
        const { record: revoked } = yield* storedKey(rich.account.organization_id)
        yield* keys.revoke(revoked.id, nextTimestamp())
        const { record: expired } = yield* storedKey(rich.account.organization_id, {
          expires_at: "2026-01-01T00:00:00.000Z"
        })
        const { record: limited } = yield* storedKey(poor.account.organization_id, { daily_credit_limit: 2 })
        yield* (yield* Organizations).update(lowered.account.organization_id, { granted_level: 1 })
        const idempotency = { key: "one", fingerprint: "a" }
        assert.deepStrictEqual(
          yield* chargeAtOnce([
            rich.charge(10),
            poor.charge(6),
            lowered.charge(1, { level: 2 }),
            rich.charge(1, { key_id: revoked.id }),
            rich.charge(1, { key_id: expired.id }),
            poor.charge(2, { key_id: limited.id }),
            poor.charge(1, { key_id: limited.id }),
            rich.charge(3, { idempotency }),
            poor.charge(3, { idempotency }),
            rich.charge(5, { idempotency }),
            rich.charge(3, { idempotency: { ...idempotency, fingerprint: "b" } }),
            // A key of another account is no key of this one.
            lowered.charge(1, { key_id: rich.key_id }),
            lowered.charge(1, { level: 1 })
          ]),
          [
            { charged: 10, balance: 90 },
            "InsufficientCredits",
            "GrantLowered",
            "InvalidApiKey",
            "InvalidApiKey",
            { charged: 2, balance: 3 },
            "DailyLimitReached",
            { charged: 3, balance: 87 },
            { charged: 3, balance: 0 },
            { charged: 2, balance: 85 },
            "IdempotencyKeyReused",
            "InvalidApiKey",
            { charged: 1, balance: 99 }
          ]
        )
        assert.strictEqual(yield* transactions, 1)
        for (const { account } of [rich, poor, lowered]) yield* chargesOf(account)
      })
    )
  )

  it.live("count an idempotency key for each API key apart, and tell of those accounts alone that run low", () =>
    onDatabase(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ledger = yield* CreditLedger
        const accounts = yield* Effect.replicateEffect(openAccount(100), 3)
        const [two, far, low] = accounts as [(typeof accounts)[0], (typeof accounts)[0], (typeof accounts)[0]]
        for (const { account } of accounts) {
          yield* ledger.setThreshold(account, 95)
          yield* sql`INSERT INTO postcode.webhook_endpoints (id, organization_id, url, secret, created_at)
            VALUES (${unique("whk")}, ${account.organization_id}, 'https://example.com', 'sealed', now())`
        }
        const { record: second } = yield* storedKey(two.account.organization_id)
        assert.deepStrictEqual(
          yield* chargeAtOnce([
            two.charge(3, { idempotency: { key: "one", fingerprint: "a" } }),
            far.charge(5),
            two.charge(4, { key_id: second.id, idempotency: { key: "one", fingerprint: "b" } }),
            low.charge(60)
          ]),
          [
            { charged: 3, balance: 97 },
            { charged: 5, balance: 95 },
            { charged: 4, balance: 93 },
            { charged: 60, balance: 40 }
          ]
        )
        assert.strictEqual(yield* transactions, 1)
        const told = yield* sql`SELECT data->>'organization_id' AS id, data->>'balance' AS balance
          FROM postcode.webhook_deliveries`
        assert.sameDeepMembers(
          [...told],
          [
            { id: two.account.organization_id, balance: "93" },
            { id: low.account.organization_id, balance: "40" }
          ]
        )
      })
    )
  )

  it.live("wait for no account that somebody else holds, but that one is charged once it is free", () =>
    onDatabase(() =>
      Effect.gen(function* () {
        const ledger = yield* CreditLedger
        const [held, free] = [yield* openAccount(10), yield* openAccount(10)]
        const release = yield* lockAccount(held.account.organization_id)
        const [behind, passing] = yield* Effect.forEach([held, free], ({ charge }) =>
          Effect.forkChild(ledger.charge(charge(1)), { startImmediately: true })
        )
        assert.deepStrictEqual(yield* Fiber.join(passing as Fiber.Fiber<unknown>), { charged: 1, balance: 9 })
        assert.deepStrictEqual(yield* ledger.charge(free.charge(1)), { charged: 1, balance: 8 })
        assert.lengthOf((yield* chargesOf(held.account)).charges, 0)
        yield* release
        assert.deepStrictEqual(yield* Fiber.join(behind as Fiber.Fiber<unknown>), { charged: 1, balance: 9 })
      })
    )
  )

  it.live("are charged one account after the other where the transaction fails for the sake of one", () =>
    onDatabase(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ledger = yield* CreditLedger
        const accounts = yield* Effect.replicateEffect(openAccount(10), 3)
        const [broken, ...others] = accounts as [(typeof accounts)[0], ...typeof accounts]
        yield* sql.unsafe(`ALTER TABLE postcode.ledger_entries
          ADD CHECK (amount > 0 OR organization_id <> '${broken.account.organization_id}')`).unprepared
        const [, charged] = yield* Effect.all(
          [dies(ledger.charge(broken.charge(1))), chargeAtOnce(others.map(({ charge }) => charge(1)))],
          atOnce
        )
        assert.deepStrictEqual(charged, Array(2).fill({ charged: 1, balance: 9 }))
        assert.strictEqual(yield* transactions, 2)
      })
    )
  )

  it.live("are each charged in a transaction of their own where the function for several charges none", () =>
    onDatabase(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const accounts = yield* Effect.replicateEffect(openAccount(10), 3)
        // As docs/database.md says for tables that are spread over machines.
        yield* sql.unsafe(`CREATE OR REPLACE FUNCTION postcode.charge_accounts(organizations text[], environments text[],
            accounts integer[], ids text[], key_ids text[], amounts bigint[], levels smallint[], reasons text[],
            request_ids text[], idempotency_keys text[], fingerprints text[])
          RETURNS TABLE (number integer, outcome text, amount double precision, balance double precision,
            granted_level smallint, daily_limit double precision, day_ends_in integer)
          LANGUAGE plpgsql AS 'BEGIN END'`).unprepared
        const charged = yield* chargeAtOnce(accounts.map(({ charge }) => charge(1)))
        assert.deepStrictEqual(charged, Array(3).fill({ charged: 1, balance: 9 }))
        assert.strictEqual(yield* transactions, 3)
      })
    )
  )

  it.live.each(["breaks", "stays silent"] as const)(
    "are each found by its id where the answer is lost as the connection %s, and charged once",
    (how) =>
      onDatabase((url) =>
        Effect.gen(function* () {
          const proxy = yield* losingProxy(url)
          const loss_ms = Effect.gen(function* () {
            const ledger = yield* replicaAt(proxy.url)
            const [one, other] = [yield* openAccount(10), yield* openAccount(3)]
            proxy.lose(anEntry, how)
            const charges = [one.charge(1), other.charge(2), one.charge(3), other.charge(2)]
            const start_ms = performance.now()
            const answers = yield* Effect.provideService(chargeAtOnce(charges), CreditLedger, ledger)
            const took_ms = performance.now() - start_ms
            // The driver would wait for the silent one when the replica ends.
            proxy.cut()
            assert.deepStrictEqual(answers, [
              { charged: 1, balance: 9 },
              { charged: 2, balance: 1 },
              { charged: 3, balance: 6 },
              // The run that was lost might still come.
              "Unavailable"
            ])
            assert.lengthOf((yield* chargesOf(one.account)).charges, 2)
            assert.lengthOf((yield* chargesOf(other.account)).charges, 1)
            return took_ms
          })
          assert.isBelow(yield* quickest_ms(Effect.scoped(loss_ms), 4_500), 4_500)
        })
      )
  )

  it.live("are charged by each of three replicas, which never wait for each other in a circle", () =>
    onDatabase((url) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const random = randomNumbers(7)
        const replicas = yield* Effect.replicateEffect(replicaAt(url), 3)
        const accounts = yield* Effect.replicateEffect(openAccount(1_000), 12)
        const pay = Effect.gen(function* () {
          for (let i = 0; i < 12; i++) {
            const { charge } = random.pick(accounts)
            yield* random.pick(replicas).charge(charge(1))
          }
        })
        yield* Effect.replicateEffect(pay, 60, atOnce)
        const charged = yield* Effect.forEach(accounts, ({ account }) => chargesOf(account))
        assert.strictEqual(
          charged.reduce((sum, { charges }) => sum + charges.length, 0),
          720
        )
        const [row] = yield* sql`SELECT deadlocks::integer FROM pg_stat_database WHERE datname = current_database()`
        assert.strictEqual(row?.deadlocks, 0)
      })
    )
  )
})

/** What one function decides on an account among others, and the other on one that is like it. */
describe("charge_accounts", () => {
  it.live("decides and writes as charge_account does, whatever comes in which order", () =>
    onDatabase(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const random = randomNumbers(11)
        const [alone, among, third] = yield* Effect.all([openTwinAccount, openTwinAccount, openTwinAccount])
        for (let round = 0; round < 60; round++) {
          const rows = Array.from({ length: 1 + random.below(8) }, (_, i) => ({
            // Now and then it runs again, as after a lost answer.
            id: `ent_${random.below(4) === 0 ? random.below(round + 1) : round} ${i}`,
            key: random.below(4),
            amount: random.below(5),
            level: random.pick([null, 1, 2, 3]),
            idempotency_key: random.pick([null, null, `idem ${random.below(20)}`]),
            fingerprint: random.pick(["a", "a", "b"])
          }))
          const chargesOn = ({ keys }: Twin) =>
            rows.map(
              ({ amount, fingerprint, id, idempotency_key, key, level }): ReadonlyArray<unknown> => [
                id,
                keys[key],
                BigInt(amount),
                level,
                "lookup",
                `request ${id}`,
                idempotency_key,
                idempotency_key && fingerprint
              ]
            )
          const expected = yield* sql.unsafe(
            `SELECT ${answered} FROM postcode.charge_account($1, 'test', $2, $3, $4, $5, $6, $7, $8, $9)`,
            [alone.organization_id, ...columns(chargesOn(alone))]
          )
          // Those of two accounts, one of each in turn.
          const others = chargesOn(third)
          const mixed = chargesOn(among).flatMap((own, i) => [others[i] ?? [], own])
          const found = yield* sql.unsafe(
            `SELECT ${answered} FROM postcode.charge_accounts($1, '{test,test}', $2, $3, $4, $5, $6, $7, $8, $9, $10)
            WHERE number % 2 = 0`,
            [
              array([third.organization_id, among.organization_id], PgTypes.OID.text),
              array(
                mixed.map((_, i) => 1 + (i % 2)),
                PgTypes.OID.int4
              ),
              ...columns(mixed)
            ]
          )
          assert.deepStrictEqual(found, expected)
        }
        const books = yield* Effect.forEach([alone, among, third], booksOf)
        assert.deepStrictEqual(books[1], books[0])
        assert.deepStrictEqual(books[2], books[0])
      })
    )
  )

  it.live("answers nothing of an account that somebody else holds, and waits for no lock at all", () =>
    onDatabase(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [held, free] = [yield* openTwinAccount, yield* openTwinAccount]
        const charges = [held, free].map(({ keys: [key] }) => [unique("ent"), key, 1n, 2, "lookup", "r", null, null])
        const asked = [array([held.organization_id, free.organization_id], text), ...columns(charges)]
        const charge = Effect.andThen(
          sql`SET LOCAL lock_timeout = '1s'`,
          sql.unsafe(
            `SELECT number, outcome
            FROM postcode.charge_accounts($1, '{test,test}', '{1,2}', $2, $3, $4, $5, $6, $7, $8, $9)`,
            asked
          )
        )
        const release = yield* lockAccount(held.organization_id)
        assert.deepStrictEqual(yield* sql.withTransaction(charge), [{ number: 2, outcome: "charged" }])
        yield* release
        assert.lengthOf(yield* sql.withTransaction(charge), 2)
      })
    )
  )

  it.live("refuses an isolation level that would not show what was committed before", () =>
    onDatabase(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const charge = sql`SELECT * FROM postcode.charge_accounts('{o}', '{test}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}')`
        assert.deepStrictEqual(yield* charge, [])
        const { reason } = yield* Effect.flip(
          sql.withTransaction(Effect.andThen(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`, charge))
        )
        assert.include(String(reason.cause), "read committed")
      })
    )
  )

  it.live("reads no more of a ledger that has grown than its own entries, whether or not it was analyzed", () =>
    onDatabase(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [one, other] = [yield* openAccount(100), yield* openAccount(100)]
        yield* sql`INSERT INTO postcode.ledger_entries
            (organization_id, environment, number, id, amount, reason, reference, balance_after, created_at)
          SELECT CASE WHEN n % 2 = 0 THEN ${one.account.organization_id} ELSE 'small ' || n END, 'live', n,
            'entry ' || n, 1, 'lookup', 'grown', n, now()
          FROM generate_series(1, 20000) AS n`
        const fetched = sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`SELECT * FROM postcode.charge_accounts(
              ${[one.account.organization_id, other.account.organization_id]}::text[], '{test,test}', '{1,2}',
              '{one,two}', ${[one.key_id, other.key_id]}::text[], '{1,1}', '{NULL,NULL}', '{lookup,lookup}',
              '{r,r}', '{NULL,NULL}', '{NULL,NULL}')`
            const [row] = yield* sql<{ read: number }>`SELECT idx_tup_fetch::integer + seq_tup_read::integer AS read
              FROM pg_stat_xact_user_tables WHERE relid = 'postcode.ledger_entries'::regclass`
            return row?.read
          })
        )
        assert.strictEqual(yield* fetched, 0)
        yield* sql.unsafe("ANALYZE").unprepared
        assert.strictEqual(yield* fetched, 2)
      })
    )
  )
})

describe("a transaction of several accounts that always fails", () => {
  it.live("is said once, without a word of what was charged, and once more when it has worked in between", () =>
    onDatabase((url) =>
      Effect.gen(function* () {
        const logged: Array<string> = []
        const log = Logger.map(Logger.formatLogFmt, (line) => logged.push(line))
        const ledger = yield* Effect.provideService(replicaAt(url), Logger.CurrentLoggers, new Set([log]))
        const sql = yield* SqlClient.SqlClient
        const { account, charge } = yield* openAccount(10)
        const rename = (from: string, to: string) =>
          sql.unsafe(`ALTER FUNCTION postcode.${from} RENAME TO ${to}`).unprepared
        const breaks = rename("charge_accounts", "elsewhere")
        const works = rename("elsewhere", "charge_accounts")
        const pay = ledger.charge(charge(1))

        yield* breaks
        yield* Effect.all([pay, pay, pay])
        assert.lengthOf(logged, 1)
        yield* works
        yield* pay
        yield* breaks
        yield* Effect.all([pay, pay])
        assert.lengthOf(logged, 2)
        assert.include(logged[1], "level=ERROR")
        assert.include(logged[1], "SQLSTATE 42883")
        assert.notInclude(logged[1], account.organization_id)
        assert.strictEqual((yield* chargesOf(account)).balance, 4)
      })
    )
  )
})

/** What both functions answer, as far as it counts, but for the seconds, which go by. */
const answered = `outcome, amount, balance, granted_level, day_ends_in > 0 AS ends,
  CASE outcome WHEN 'daily_limit' THEN daily_limit END AS daily_limit`

const { int2, int8, text } = PgTypes.OID
const types = [text, text, int8, int2, text, text, text, text]

/** Charges as both functions take them: a column for each field. */
const columns = (charges: ReadonlyArray<ReadonlyArray<unknown>>) =>
  types.map((type, field) =>
    array(
      charges.map((charge) => charge[field]),
      type
    )
  )

const array = (values: ReadonlyArray<unknown>, type: number) => Result.getOrThrow(PgTypes.array(values, type))

interface Twin {
  readonly organization_id: string
  readonly keys: ReadonlyArray<string>
}

/** An account with a key without a limit, one with a daily limit, one that has expired, and one that is revoked. */
const openTwinAccount = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const { account, key_id } = yield* openAccount(300)
  const { organization_id } = account
  yield* (yield* Organizations).update(organization_id, { granted_level: 2 })
  const { record: limited } = yield* storedKey(organization_id, { daily_credit_limit: 60 })
  const { record: expired } = yield* storedKey(organization_id, { expires_at: "2026-01-01T00:00:00.000Z" })
  const { record: revoked } = yield* storedKey(organization_id)
  yield* keys.revoke(revoked.id, nextTimestamp())
  return { organization_id, keys: [key_id, limited.id, expired.id, revoked.id] }
})

/** What the tables hold of a twin, without what tells it from others. */
const booksOf = Effect.fnUntraced(function* ({ keys, organization_id }: Twin) {
  const sql = yield* SqlClient.SqlClient
  return {
    account: yield* sql`SELECT balance, entries FROM postcode.credit_accounts
      WHERE organization_id = ${organization_id} AND environment = 'test'`,
    entries: yield* sql`SELECT number, id, amount, reason, reference, level, balance_after,
        array_position(${keys}::text[], key_id) AS key
      FROM postcode.ledger_entries WHERE organization_id = ${organization_id} AND amount < 0 ORDER BY number`,
    days: yield* sql`SELECT charged FROM postcode.key_days WHERE organization_id = ${organization_id}`,
    idempotency: yield* sql`SELECT array_position(${keys}::text[], key_id) AS key, idempotency_key, fingerprint, charged
      FROM postcode.idempotency_keys WHERE organization_id = ${organization_id} ORDER BY 1, 2`
  }
})
