/** Fixtures of ledger tests: replicas on a database, locks and checked charges. */
import { assert } from "@effect/vitest"
import type { CreditAccount } from "@postcode/core/Credits"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import type { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import type { Organizations } from "@postcode/gateway/organizations/Organizations"
import { layerDatabase } from "@postcode/postgres"
import { Context, Deferred, Effect, Fiber, Layer, Redacted, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { layerCreditLedger } from "../../src/credits/CreditLedger.ts"
import { layerApiKeys } from "../../src/keys/ApiKeys.ts"
import { layerKeyCopies } from "../../src/keys/KeyCopies.ts"
import { layerOrganizations } from "../../src/organizations/Organizations.ts"
import { checkedPorts } from "../distribution/checkedPorts.ts"
import { migratedDatabase } from "../MigratedDatabase.ts"

export const atOnce = { concurrency: "unbounded" } as const

/** The prefix of entry ids, which no other text from a client contains. */
export const anEntry = "ent_0"

/** A replica on an existing database. */
export const layerReplica = (url: string) =>
  checkedPorts(Layer.mergeAll(layerCreditLedger, layerApiKeys, layerOrganizations)).pipe(
    Layer.provideMerge(layerKeyCopies),
    Layer.provideMerge(layerDatabase({ url: Redacted.make(url) }))
  )

export const layerLedger = Layer.unwrap(Effect.map(migratedDatabase, layerReplica))

/** Runs a test on a new replica and database, with the address of the database. */
export const onDatabase = <A, E>(
  test: (url: string) => Effect.Effect<A, E, ApiKeys | CreditLedger | Organizations | SqlClient.SqlClient | Scope.Scope>
) => Effect.flatMap(migratedDatabase, (url) => Effect.provide(test(url), layerReplica(url))).pipe(Effect.scoped)

/** The ledger of another replica, until the scope closes. */
export const replicaAt = (url: string) =>
  Effect.map(
    Layer.build(Layer.fresh(Layer.provide(layerCreditLedger, layerDatabase({ url: Redacted.make(url) })))),
    (context) => Context.get(context, CreditLedger)
  )

/** A row of an entry. */
export interface Entry {
  readonly amount: number
  readonly reference: string
}

/** All charges of an account, oldest first, after a check that its ledger is consistent. */
export const chargesOf = Effect.fnUntraced(function* ({ environment, organization_id }: CreditAccount) {
  const sql = yield* SqlClient.SqlClient
  const entries = yield* sql<Entry & { number: number; balance_after: number }>`
    SELECT number::float8, amount::float8, reference, balance_after::float8 FROM postcode.ledger_entries
    WHERE organization_id = ${organization_id} AND environment = ${environment} ORDER BY number`
  let sum = 0
  for (const [i, { amount, balance_after, number }] of entries.entries()) {
    sum += amount
    assert.strictEqual(number, i + 1)
    assert.strictEqual(balance_after, sum)
    assert.isAtLeast(sum, 0)
  }
  const [account] = yield* sql`SELECT balance::float8, entries::float8 FROM postcode.credit_accounts
    WHERE organization_id = ${organization_id} AND environment = ${environment}`
  assert.deepStrictEqual(account, { balance: sum, entries: entries.length })
  const charges: ReadonlyArray<Entry> = entries.filter(({ amount }) => amount < 0)
  return { balance: sum, charges }
})

/** Locks an organization's accounts; returns an effect that releases the lock. */
export const lockAccount = Effect.fnUntraced(function* (organization_id: string) {
  const sql = yield* SqlClient.SqlClient
  const locked = yield* Deferred.make<void>()
  const released = yield* Deferred.make<void>()
  const hold = Effect.gen(function* () {
    yield* sql`SELECT FROM postcode.credit_accounts WHERE organization_id = ${organization_id} FOR UPDATE`
    yield* Deferred.succeed(locked, undefined)
    yield* Deferred.await(released)
  })
  const fiber = yield* Effect.forkChild(sql.withTransaction(hold))
  yield* Deferred.await(locked)
  return Effect.andThen(Deferred.succeed(released, undefined), Fiber.join(fiber))
})

/** The number of ledger entries that this connection has recently read, in a database without months. */
export const rowsRead = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ rows: number }>`SELECT idx_tup_fetch::integer + seq_tup_read::integer AS rows
      FROM pg_stat_xact_user_tables WHERE relname = 'ledger_entries_default'`,
    ([row]) => row?.rows ?? 0
  )
