/** A primary whose synchronous standby does not answer, as during a failover: what it commits may be lost. */
import { assert, describe, it } from "@effect/vitest"
import { failsWith, openAccount } from "@postcode/conformance"
import type { PostgresServer } from "@postcode/drills/postgres"
import { migrate } from "@postcode/postgres"
import { Effect } from "effect"
import { chargesOf, layerReplica, replicaAt } from "../../credits/Ledger.ts"
import { ownServerWith } from "../../OwnServer.ts"

const administer = (server: PostgresServer, ...statements: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const client = await server.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  })

/** Connections whose commits wait for no standby: for what a test prepares and reads. */
const unsynchronized = (url: string) => `${url}?options=${encodeURIComponent("-c synchronous_commit=local")}`

describe("a primary without its synchronous standby", () => {
  it.live(
    "shows and acknowledges no charge, however often it is repeated, and makes it once when the standby is back",
    () =>
      Effect.gen(function* () {
        const server = yield* ownServerWith({ wal_level: "replica", max_wal_senders: "2" })
        const url = server.url("postgres")
        yield* administer(server, "ALTER SYSTEM SET synchronous_standby_names = 'absent'")
        yield* Effect.promise(() => server.stop())
        yield* Effect.promise(() => server.start())
        yield* Effect.gen(function* () {
          yield* migrate
          const { account, charge } = yield* openAccount(100)
          const ledger = yield* replicaAt(url)
          const idempotency = { key: "one", fingerprint: "a" }
          for (let attempt = 1; attempt <= 3; attempt++) {
            yield* failsWith(ledger.charge(charge(5, { idempotency })), "Unavailable")
            assert.deepStrictEqual(yield* chargesOf(account), { balance: 100, charges: [] })
          }
          // The connections of the first attempts are closed by now, which is no reason to show the charge either.
          yield* Effect.sleep(3_000)
          assert.deepStrictEqual(yield* chargesOf(account), { balance: 100, charges: [] })
          yield* administer(server, "ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()")
          const again = ledger.charge(charge(5, { idempotency }))
          const receipt = yield* Effect.retry(again, { times: 20 })
          assert.deepStrictEqual(receipt, { charged: 0, balance: 95 })
          assert.strictEqual((yield* chargesOf(account)).charges.length, 1)
        }).pipe(Effect.provide(layerReplica(unsynchronized(url))))
      }).pipe(Effect.scoped)
  )
})
