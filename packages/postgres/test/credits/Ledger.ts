/** What tests of the ledger stand on: replicas on a database, an account with a key, and what its books say. */
import { assert } from "@effect/vitest"
import { type CreditAccount, CreditLedger } from "@postcode/core/credits/CreditLedger"
import type { ApiKeys } from "@postcode/core/keys/ApiKeys"
import type { Organizations } from "@postcode/core/organizations/Organizations"
import { layerDatabase } from "@postcode/postgres"
import { Context, Deferred, Effect, Fiber, Layer, Redacted, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { layerCreditLedger } from "../../src/credits/CreditLedger.ts"
import { layerApiKeys } from "../../src/keys/ApiKeys.ts"
import { layerKeyCopies } from "../../src/keys/KeyCopies.ts"
import { layerOrganizations } from "../../src/organizations/Organizations.ts"
import { migratedDatabase } from "../MigratedDatabase.ts"

export const atOnce = { concurrency: "unbounded" } as const

/** How the id of an entry begins, which nothing else holds that a client sends. */
export const anEntry = "ent_0"

/** A replica on the database there. */
export const layerReplica = (url: string) =>
  Layer.mergeAll(layerCreditLedger, layerApiKeys, layerOrganizations).pipe(
    Layer.provideMerge(layerKeyCopies),
    Layer.provideMerge(layerDatabase({ url: Redacted.make(url) }))
  )

export const layerLedger = Layer.unwrap(Effect.map(migratedDatabase, layerReplica))

/** Runs a test on a replica of its own, with the address of its database. */
export const onDatabase = <A, E>(
  test: (url: string) => Effect.Effect<A, E, ApiKeys | CreditLedger | Organizations | SqlClient.SqlClient | Scope.Scope>
) => Effect.flatMap(migratedDatabase, (url) => Effect.provide(test(url), layerReplica(url))).pipe(Effect.scoped)

/** The ledger of one more replica, for as long as the scope is open. */
export const replicaAt = (url: string) =>
  Effect.map(
    Layer.build(Layer.fresh(Layer.provide(layerCreditLedger, layerDatabase({ url: Redacted.make(url) })))),
    (context) => Context.get(context, CreditLedger)
  )

/** An entry as the table has it. */
export interface Entry {
  readonly amount: number
  readonly reference: string
}

/** All charges of an account, oldest first, after a check that its books are right. */
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

/** Holds the lock of an organization's accounts; answers how to let go. */
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

/** How many entries of ledgers this connection has read lately. */
export const rowsRead = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ rows: number }>`SELECT idx_tup_fetch::integer + seq_tup_read::integer AS rows
      FROM pg_stat_xact_user_tables WHERE relid = 'postcode.ledger_entries'::regclass`,
    ([row]) => row?.rows ?? 0
  )
