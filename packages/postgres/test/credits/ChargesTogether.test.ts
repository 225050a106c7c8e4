/** Charges of several accounts in one transaction, which must not affect each other. */
import { assert, describe, it } from "@effect/vitest"
import { dies, nextTimestamp, openAccount, storedKey, unique } from "@postcode/conformance"
import { type Charge, type ChargeReceipt, decideCharges } from "@postcode/core/Credits"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { defaultNoticeLimits } from "@postcode/gateway/notices/Notice"
import { Organizations } from "@postcode/gateway/organizations/Organizations"
import { Effect, Exit, Fiber, Logger, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { ChargeBatch } from "../../src/credits/ChargeBatch.ts"
import { chargeAccounts } from "../../src/credits/chargeTogether.ts"
import { type AccountState, readAccounts } from "../../src/credits/readAccounts.ts"
import { writeCharges } from "../../src/credits/writeCharges.ts"
import { proxyTo } from "../MigratedDatabase.ts"
import { quickest_ms } from "../Quickest.ts"
import { randomNumbers } from "../RandomNumbers.ts"
import { anEntry, atOnce, chargesOf, lockAccount, onDatabase, replicaAt, rowsRead } from "./Ledger.ts"

/** The outcomes of concurrent charges, as receipts or the tags of failures. */
const chargeAtOnce = Effect.fnUntraced(function* (charges: ReadonlyArray<Charge>) {
  const ledger = yield* CreditLedger
  const results = yield* Effect.all(
    charges.map((charge) => Effect.result(ledger.charge(charge))),
    atOnce
  )
  return results.map((result) => (result._tag === "Success" ? result.success : result.failure._tag))
})

/** The number of transactions that have written charges. */
const transactions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ count: number }>`
    SELECT count(DISTINCT xmin::text)::integer AS count FROM postcode.ledger_entries WHERE amount < 0`
  return row?.count
})

describe("concurrent charges of several accounts", () => {
  it.live("are written in one transaction, and decided separately", () =>
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
            // A key of another account is invalid for this one.
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

  it.live("use idempotency keys per API key, and send low-balance events per account", () =>
    onDatabase(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ledger = yield* CreditLedger
        const accounts = yield* Effect.replicateEffect(openAccount(100), 3)
        const [two, far, low] = accounts as [(typeof accounts)[0], (typeof accounts)[0], (typeof accounts)[0]]
        for (const { account } of accounts) {
          yield* ledger.setThreshold(account, 95)
          yield* sql`INSERT INTO postcode.webhook_endpoints (id, number, organization_id, url, secret, created_at)
            VALUES (${unique("whk")}, 1, ${account.organization_id}, 'https://example.com', 'sealed', now())`
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

  it.live("do not wait for a locked account, which is charged once it is free", () =>
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

  it.live("are charged separately if the shared transaction fails because of one account", () =>
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

  it.live.each(["breaks", "stays silent"] as const)(
    "are each found by their ids if the answer is lost as the connection %s, and charged once",
    (how) =>
      onDatabase((url) =>
        Effect.gen(function* () {
          const proxy = yield* proxyTo(url)
          const loss_ms = Effect.gen(function* () {
            const ledger = yield* replicaAt(proxy.url)
            const [one, other] = [yield* openAccount(10), yield* openAccount(3)]
            proxy.lose(anEntry, how)
            const charges = [one.charge(1), other.charge(2), one.charge(3), other.charge(2)]
            const start_ms = performance.now()
            const answers = yield* Effect.provideService(chargeAtOnce(charges), CreditLedger, ledger)
            const took_ms = performance.now() - start_ms
            // The driver would wait for the silent connection when the replica ends.
            proxy.cut()
            assert.deepStrictEqual(answers, [
              { charged: 1, balance: 9 },
              { charged: 2, balance: 1 },
              { charged: 3, balance: 6 },
              // The lost run may still take effect.
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

  it.live("are charged by three replicas without deadlocks", () =>
    onDatabase((url) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const random = randomNumbers(7)
        const replicas = yield* Effect.replicateEffect(replicaAt(url), 3)
        const accounts = yield* Effect.replicateEffect(openAccount(1_000), 12)
        const pay = Effect.gen(function* () {
          for (let i = 0; i < 12; i++) {
            const charge = random.pick(accounts).charge(1, { idempotency: { key: unique("try"), fingerprint: "a" } })
            // On a busy machine an answer can be late. The charge may have taken effect, so the key is the same again.
            yield* Effect.retry(random.pick(replicas).charge(charge), {
              while: (failure) => failure._tag === "Unavailable",
              times: 20
            })
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

/** Compares decisions on an account in a shared batch with those on an identical account alone. */
describe("a batch among others", () => {
  it.live("is decided and written as if it were alone, for random charges in random order", () =>
    onDatabase(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const random = randomNumbers(11)
        const [alone, among, third] = yield* Effect.all([openTwinAccount, openTwinAccount, openTwinAccount])
        for (let round = 0; round < 60; round++) {
          const rows = Array.from({ length: 1 + random.below(8) }, (_, i) => ({
            // Sometimes it runs again, as after a lost answer.
            id: `ent_${random.below(4) === 0 ? random.below(round + 1) : round} ${i}`,
            key: random.below(4),
            amount: random.below(5),
            level: random.pick([undefined, 1, 2, 3] as const),
            idempotency_key: random.pick([undefined, undefined, `idem ${random.below(20)}`]),
            fingerprint: random.pick(["a", "a", "b"])
          }))
          const batchOn = ({ keys, organization_id }: Twin): ChargeBatch =>
            rows.map(({ amount, fingerprint, id, idempotency_key, key, level }) => ({
              id,
              charge: {
                organization_id,
                environment: "test",
                key_id: keys[key] ?? "",
                amount,
                reason: "lookup",
                request_id: `request ${id}`,
                ...(level !== undefined && { level }),
                ...(idempotency_key !== undefined && { idempotency: { key: idempotency_key, fingerprint } })
              }
            }))
          const [expected] = yield* chargeAccounts(sql, [batchOn(alone)], true, defaultNoticeLimits)
          const both = yield* chargeAccounts(sql, [batchOn(third), batchOn(among)], true, defaultNoticeLimits)
          for (const found of both) assert.deepStrictEqual(found?.map(shown), expected?.map(shown))
        }
        const books = yield* Effect.forEach([alone, among, third], booksOf)
        assert.deepStrictEqual(books[1], books[0])
        assert.deepStrictEqual(books[2], books[0])
      })
    )
  )

  it.live("is skipped if its account is locked, without waiting for the lock", () =>
    onDatabase(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [held, free] = [yield* openAccount(10), yield* openAccount(10)]
        const charge = Effect.suspend(() => {
          const batches = [held, free].map(({ charge }) => [{ id: unique("ent"), charge: charge(1) }])
          return Effect.andThen(
            sql`SET LOCAL lock_timeout = '1s'`,
            chargeAccounts(sql, batches, false, defaultNoticeLimits)
          )
        })
        const release = yield* lockAccount(held.account.organization_id)
        const [behind, passing] = yield* sql.withTransaction(charge)
        assert.isUndefined(behind)
        assert.deepStrictEqual(passing, [Exit.succeed({ charged: 1, balance: 9 })])
        assert.lengthOf((yield* chargesOf(held.account)).charges, 0)
        yield* release
        const both = yield* sql.withTransaction(charge)
        assert.deepStrictEqual(both.flat(), [
          Exit.succeed({ charged: 1, balance: 9 }),
          Exit.succeed({ charged: 1, balance: 8 })
        ])
      })
    )
  )

  it.live("is skipped if its account has changed since it was read", () =>
    onDatabase(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const keys = yield* ApiKeys
        const { account, charge, key_id } = yield* openAccount(10)
        const changes = [
          (yield* CreditLedger).charge(charge(1)),
          (yield* CreditLedger).grant({ ...account, amount: 1, reference: "r" }),
          (yield* Organizations).update(account.organization_id, { granted_level: 1 }),
          keys.revoke(key_id, nextTimestamp())
        ]
        for (const change of changes) {
          const batch = [{ id: unique("ent"), charge: charge(3) }]
          const { now_us, states } = yield* readAccounts(sql, [batch], false)
          const state = states[0]?.account
          assert.isDefined(state)
          const decision = decideCharges(state, [charge(3)], now_us / 1_000)
          yield* change
          const written = yield* writeCharges(
            sql,
            [{ batch, account: state as AccountState, decision }],
            now_us,
            defaultNoticeLimits
          )
          assert.strictEqual(written.size, 0)
        }
        assert.lengthOf((yield* chargesOf(account)).charges, 1)
      })
    )
  )

  it.live("reads only its own entries of a large ledger, whether or not it was analyzed", () =>
    onDatabase(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [one, other] = [yield* openAccount(100), yield* openAccount(100)]
        yield* sql`INSERT INTO postcode.ledger_entries
            (organization_id, environment, number, id, amount, reason, reference, balance_after, created_at)
          SELECT CASE WHEN n % 2 = 0 THEN ${one.account.organization_id} ELSE 'small ' || n END, 'live', n,
            'entry ' || n, 1, 'lookup', 'grown', n, now()
          FROM generate_series(1, 20000) AS n`
        const batches = [[{ id: "entry 2", charge: one.charge(1) }], [{ id: unique("ent"), charge: other.charge(1) }]]
        const read = Effect.gen(function* () {
          const before = yield* rowsRead(sql)
          const { states } = yield* readAccounts(sql, batches, true)
          assert.deepStrictEqual(
            states.map(({ written }) => written.size),
            [1, 0]
          )
          return (yield* rowsRead(sql)) - before
        })
        assert.strictEqual(yield* sql.withTransaction(read), 1)
        yield* sql.unsafe("ANALYZE").unprepared
        assert.strictEqual(yield* sql.withTransaction(read), 1)
      })
    )
  )
})

describe("a transaction of several accounts that always fails", () => {
  it.live("is logged once, without data of the charges, and again after it has succeeded in between", () =>
    onDatabase((url) =>
      Effect.gen(function* () {
        const logged: Array<string> = []
        const log = Logger.map(Logger.formatLogFmt, (line) => logged.push(line))
        const ledger = yield* Effect.provideService(replicaAt(url), Logger.CurrentLoggers, new Set([log]))
        const sql = yield* SqlClient.SqlClient
        const [broken, whole] = [yield* openAccount(10), yield* openAccount(10)]
        const breaks = sql.unsafe(`ALTER TABLE postcode.ledger_entries
          ADD CONSTRAINT breaks CHECK (organization_id <> '${broken.account.organization_id}') NOT VALID`).unprepared
        const works = sql.unsafe("ALTER TABLE postcode.ledger_entries DROP CONSTRAINT breaks").unprepared
        const pay = Effect.all([Effect.exit(ledger.charge(broken.charge(1))), ledger.charge(whole.charge(1))], atOnce)

        yield* breaks
        for (let i = 0; i < 3; i++) assert.isTrue(Exit.hasDies((yield* pay)[0]))
        assert.lengthOf(logged, 1)
        yield* works
        assert.isTrue(Exit.isSuccess((yield* pay)[0]))
        yield* breaks
        for (let i = 0; i < 2; i++) assert.isTrue(Exit.hasDies((yield* pay)[0]))
        assert.lengthOf(logged, 2)
        assert.include(logged[1], "level=ERROR")
        assert.include(logged[1], "SQLSTATE 23514")
        for (const { account } of [broken, whole]) assert.notInclude(logged[1], account.organization_id)
        assert.strictEqual((yield* chargesOf(whole.account)).balance, 4)
        assert.strictEqual((yield* chargesOf(broken.account)).balance, 9)
      })
    )
  )
})

/** An outcome without the remaining seconds of the day. */
const shown = (exit: Exit.Exit<ChargeReceipt, { readonly _tag: string }>) => {
  if (Exit.isSuccess(exit)) return exit.value
  const failure = Option.getOrUndefined(Exit.findErrorOption(exit))
  return failure?._tag === "DailyLimitReached" ? { ...failure, retry_after_s: 0 } : { ...failure }
}

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

/** The rows of a twin, without what differs between twins. */
const booksOf = Effect.fnUntraced(function* ({ keys, organization_id }: Twin) {
  const sql = yield* SqlClient.SqlClient
  return {
    account: yield* sql`SELECT balance, entries FROM postcode.credit_accounts
      WHERE organization_id = ${organization_id} AND environment = 'test'`,
    entries: yield* sql`SELECT number, id, amount, reason, reference, level, balance_after,
        array_position(${keys}::text[], key_id) AS key
      FROM postcode.ledger_entries WHERE organization_id = ${organization_id} AND amount < 0 ORDER BY number`,
    days: yield* sql`SELECT charged FROM postcode.key_days WHERE organization_id = ${organization_id}`,
    idempotency:
      yield* sql`SELECT array_position(${keys}::text[], chain_id) AS key, idempotency_key, fingerprint, charged
      FROM postcode.idempotency_keys WHERE organization_id = ${organization_id} ORDER BY 1, 2`
  }
})
