/** The ledger when connections break, between replicas, and in the tables. */
import { assert, describe, it, layer } from "@effect/vitest"
import { dies, failsWith, nextTimestamp, openAccount, unique } from "@postcode/conformance"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { forgetExpiredIdempotencyKeys } from "../../src/credits/forgetExpiredIdempotencyKeys.ts"
import { readAccounts } from "../../src/credits/readAccounts.ts"
import { untilLockWaits } from "../LockWaits.ts"
import { proxyTo } from "../MigratedDatabase.ts"
import { anEntry, atOnce, chargesOf, layerLedger, lockAccount, onDatabase, replicaAt, rowsRead } from "./Ledger.ts"

/** The request ids of an account's charges, in no particular order. */
const references = (charges: ReadonlyArray<{ readonly reference: string }>) => charges.map((entry) => entry.reference)

describe("CreditLedger on PostgreSQL, when connections break", () => {
  it.live.each(["breaks", "stays silent"] as const)(
    "a commit whose answer is lost as the connection %s is found by the entry's id, and charged once",
    (how) =>
      onDatabase((url) =>
        Effect.gen(function* () {
          const proxy = yield* proxyTo(url)
          const ledger = yield* replicaAt(proxy.url)
          const { account, charge } = yield* openAccount(3)
          proxy.lose(anEntry, how)
          const idempotency = { key: unique("idem"), fingerprint: "a" }
          const receipts = yield* Effect.all(
            [charge(1), charge(1, { idempotency }), charge(1, { idempotency }), charge(1)].map(ledger.charge),
            atOnce
          )
          assert.strictEqual(proxy.lost(), 1)
          // The driver would wait for the silent connection when the replica ends.
          proxy.cut()
          assert.deepStrictEqual(
            receipts.map(({ charged }) => charged),
            [1, 1, 0, 1]
          )
          const { balance, charges } = yield* chargesOf(account)
          assert.strictEqual(balance, 0)
          assert.strictEqual(charges.length, 3)
        })
      )
  )

  it.live("a refusal after a lost answer is Unavailable, because the lost run may still take effect", () =>
    onDatabase((url) =>
      Effect.gen(function* () {
        const proxy = yield* proxyTo(url)
        const ledger = yield* replicaAt(proxy.url)
        const { account, charge } = yield* openAccount(3)
        proxy.lose(anEntry, "breaks")
        const charges = [charge(2), charge(2), charge(1)].map((asked) => Effect.result(ledger.charge(asked)))
        const [first, refused, last] = yield* Effect.all(charges, atOnce)
        assert.deepInclude(first, { _tag: "Success" })
        assert.deepInclude(last, { _tag: "Success" })
        assert.strictEqual(refused?._tag === "Failure" && refused.failure._tag, "Unavailable")
        yield* failsWith(ledger.charge(charge(2)), "InsufficientCredits")
        assert.strictEqual((yield* chargesOf(account)).balance, 0)
      })
    )
  )
})

describe("CreditLedger on PostgreSQL, between replicas", () => {
  it.live("two replicas that charge one account concurrently stop at exactly 0", () =>
    onDatabase((url) =>
      Effect.gen(function* () {
        const replicas = [yield* replicaAt(url), yield* replicaAt(url)]
        const { account, charge } = yield* openAccount(1_000)
        let refused = 0
        const pay = Effect.fnUntraced(function* (i: number) {
          const ledger = replicas[i % 2] as (typeof replicas)[number]
          for (const amount of [3, 2, 1]) {
            for (;;) {
              const result = yield* Effect.result(ledger.charge(charge(amount)))
              if (result._tag === "Success") continue
              assert.strictEqual(result.failure._tag, "InsufficientCredits")
              refused++
              break
            }
          }
        })
        yield* Effect.all(
          Array.from({ length: 40 }, (_, i) => pay(i)),
          atOnce
        )
        assert.strictEqual(refused, 120)
        assert.strictEqual((yield* chargesOf(account)).balance, 0)
      })
    )
  )

  it.live("a replica that charges under a key that another one revokes: nothing is charged after the revocation", () =>
    onDatabase((url) =>
      Effect.gen(function* () {
        const other = yield* replicaAt(url)
        const keys = yield* ApiKeys
        for (let round = 0; round < 5; round++) {
          const { account, charge, key_id } = yield* openAccount(100_000)
          let paid = 0
          const pay = Effect.gen(function* () {
            for (;;) {
              const result = yield* Effect.result(other.charge(charge(1)))
              if (result._tag === "Failure") return result.failure._tag
              paid++
            }
          })
          const revoke = Effect.gen(function* () {
            yield* Effect.repeat(Effect.sleep(50), { until: () => paid > 0 })
            yield* keys.revoke(key_id, nextTimestamp())
            return yield* chargesOf(account)
          })
          const [ends, atRevocation] = yield* Effect.all([Effect.replicateEffect(pay, 32, atOnce), revoke], atOnce)
          assert.deepStrictEqual(ends, Array(32).fill("InvalidApiKey"))
          assert.isAbove(paid, 0)
          assert.deepStrictEqual(yield* chargesOf(account), atRevocation)
          assert.strictEqual(atRevocation.charges.length, paid)
        }
      })
    )
  )

  it.live("an idempotency key that is sent to two replicas is charged once", () =>
    onDatabase((url) =>
      Effect.gen(function* () {
        const replicas = [yield* replicaAt(url), yield* replicaAt(url)]
        const { account, charge } = yield* openAccount(100)
        const idempotency = { key: unique("idem"), fingerprint: "a" }
        const charges = Array.from({ length: 20 }, () =>
          replicas.map((ledger) => ledger.charge(charge(3, { idempotency })))
        )
        const receipts = yield* Effect.all(charges.flat(), atOnce)
        assert.strictEqual(
          receipts.reduce((sum, { charged }) => sum + charged, 0),
          3
        )
        assert.strictEqual((yield* chargesOf(account)).balance, 97)
      })
    )
  )
})

describe("CreditLedger on PostgreSQL, when a caller is interrupted", () => {
  it.live("the rest of its batch is charged, and so is its own charge, once", () =>
    onDatabase(() =>
      Effect.gen(function* () {
        const ledger = yield* CreditLedger
        const { account, charge } = yield* openAccount(100)
        const release = yield* lockAccount(account.organization_id)
        const under = yield* Effect.forEach(Array(5), () => Effect.forkChild(ledger.charge(charge(1))))
        yield* untilLockWaits()
        const waiting = yield* Effect.forEach(Array(5), () => Effect.forkChild(ledger.charge(charge(1))))
        yield* Effect.sleep(20)
        yield* Fiber.interruptAll([...under.slice(0, 2), ...waiting.slice(0, 3)])
        yield* release
        yield* Fiber.joinAll([...under.slice(2), ...waiting.slice(3)])
        const { charges } = yield* chargesOf(account)
        assert.strictEqual(charges.length, 7, "those whose batch was begun, and those behind who stayed")
      })
    )
  )
})

describe("CreditLedger on PostgreSQL, in the tables", () => {
  it.live("an idempotency key is valid for 24 hours by the database's clock, and is deleted afterwards", () =>
    onDatabase(() =>
      Effect.gen(function* () {
        const ledger = yield* CreditLedger
        const sql = yield* SqlClient.SqlClient
        const { charge } = yield* openAccount(10)
        const idempotency = { key: unique("idem"), fingerprint: "a" }
        const kept = { key: unique("idem"), fingerprint: "kept" }
        yield* ledger.charge(charge(1, { idempotency }))
        yield* ledger.charge(charge(1, { idempotency: kept }))
        const [record] = yield* sql`SELECT expires_at - clock_timestamp() BETWEEN '23:59' AND '24:00' AS holds
          FROM postcode.idempotency_keys WHERE idempotency_key = ${idempotency.key}`
        assert.isTrue(record?.holds)
        const expire = (seconds: number) => sql`UPDATE postcode.idempotency_keys
          SET expires_at = clock_timestamp() + make_interval(secs => ${seconds})
          WHERE idempotency_key = ${idempotency.key}`
        yield* expire(10)
        // The time starts at the first charge, even if a later one takes more.
        assert.deepStrictEqual(yield* ledger.charge(charge(3, { idempotency })), { charged: 2, balance: 6 })
        const [same] = yield* sql`SELECT expires_at < clock_timestamp() + interval '10 s' AS holds
          FROM postcode.idempotency_keys WHERE idempotency_key = ${idempotency.key}`
        assert.isTrue(same?.holds)
        assert.strictEqual(yield* forgetExpiredIdempotencyKeys, 0)

        yield* expire(-1)
        const other = { ...idempotency, fingerprint: "b" }
        assert.deepStrictEqual(yield* ledger.charge(charge(1, { idempotency: other })), { charged: 1, balance: 5 })
        assert.deepStrictEqual(yield* ledger.charge(charge(1, { idempotency: other })), { charged: 0, balance: 5 })
        yield* failsWith(ledger.charge(charge(1, { idempotency })), "IdempotencyKeyReused")

        yield* expire(-1)
        assert.strictEqual(yield* forgetExpiredIdempotencyKeys, 1)
        assert.deepStrictEqual(yield* ledger.charge(charge(1, { idempotency: kept })), { charged: 0, balance: 5 })
      })
    )
  )

  it.live("all expired idempotency keys are deleted, whatever their number", () =>
    onDatabase(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`INSERT INTO postcode.idempotency_keys
          SELECT 'org', 'key', n::text, 'a', 0, now() + (n - 2500.5) * interval '1 hour'
          FROM generate_series(1, 3000) AS n`
        const both = yield* Effect.all([forgetExpiredIdempotencyKeys, forgetExpiredIdempotencyKeys], atOnce)
        assert.strictEqual(both[0] + both[1], 2_500)
        const left = yield* sql`SELECT FROM postcode.idempotency_keys`
        assert.strictEqual(left.length, 500)
      })
    )
  )

  it.live("charges are correct in every isolation level, since each is written only at its revision", () =>
    onDatabase((url) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { account, charge } = yield* openAccount(200)
        for (const level of ["repeatable read", "serializable"]) {
          yield* sql.unsafe(`ALTER DATABASE ${new URL(url).pathname.slice(1)}
            SET default_transaction_isolation = '${level}'`).unprepared
          const replicas = [yield* replicaAt(url), yield* replicaAt(url)]
          const before = (yield* chargesOf(account)).charges.length
          const results = yield* Effect.all(
            Array.from({ length: 40 }, (_, i) =>
              Effect.result((replicas[i % 2] as (typeof replicas)[number]).charge(charge(2)))
            ),
            atOnce
          )
          const paid = results.filter(({ _tag }) => _tag === "Success").length
          assert.isAbove(paid, 0)
          const failures = results.flatMap((result) => (result._tag === "Failure" ? [result.failure._tag] : []))
          assert.deepStrictEqual(failures, Array(40 - paid).fill("Unavailable"))
          assert.strictEqual((yield* chargesOf(account)).charges.length - before, paid)
        }
      })
    )
  )

  it.live("a charge with a text that no table can store is a separate defect, and its batch succeeds", () =>
    onDatabase(() =>
      Effect.gen(function* () {
        const ledger = yield* CreditLedger
        const { account, charge } = yield* openAccount(10)
        const odd = charge(1, { request_id: "a \ud800 b ' \\ {\",} \u{1f600}" })
        yield* Effect.all([dies(ledger.charge(charge(1, { request_id: "a\0b" }))), ledger.charge(odd)], atOnce)
        const { charges } = yield* chargesOf(account)
        assert.deepStrictEqual(references(charges), ["a \ufffd b ' \\ {\",} \u{1f600}"])
        const nobody = { ...account, organization_id: "a\0b" }
        yield* failsWith(ledger.statement(nobody, { limit: 1, cursor: undefined }), "NotFound")
        yield* failsWith(ledger.grant({ ...nobody, amount: 1, reference: "r" }), "NotFound")
      })
    )
  )
})

layer(layerLedger, { excludeTestServices: true })("A charge, in a ledger that has grown", (it) => {
  it.effect("reads only its own entry, whether or not the table was analyzed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { account, charge } = yield* openAccount(1_000)
      const grow = (organization: string, from: number, to: number) => sql`
        INSERT INTO postcode.ledger_entries
          (organization_id, environment, number, id, amount, reason, reference, balance_after, created_at)
        SELECT ${organization} || CASE WHEN ${organization} = 'small ' THEN n::text ELSE '' END, 'live', n,
          'entry ' || n, 1, 'lookup', 'grown', n, now()
        FROM generate_series(${from}::integer, ${to}::integer) AS n`
      yield* grow(account.organization_id, 1, 5_000)
      yield* grow("small ", 1, 20_000)
      const fetched = (id: string) =>
        sql.withTransaction(
          Effect.gen(function* () {
            const before = yield* rowsRead(sql)
            const { states } = yield* readAccounts(sql, [[{ id, charge: charge(1) }]], true)
            return [states[0]?.written.size, (yield* rowsRead(sql)) - before]
          })
        )
      for (const analyze of [Effect.void, sql.unsafe("ANALYZE postcode.ledger_entries").unprepared]) {
        yield* analyze
        assert.deepStrictEqual(yield* fetched("nobody's"), [0, 0])
        assert.deepStrictEqual(yield* fetched("entry 7"), [1, 1])
      }
    })
  )
})
