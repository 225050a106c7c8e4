import { assert, describe, it } from "@effect/vitest"
import { makeTestDatabase } from "@postcode/drills/postgres"
import { layerDatabase, migrate, type PrepareOptions, prepareDatabase, requireSessions } from "@postcode/postgres"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Client } from "pg"
import { proxyTo } from "../MigratedDatabase.ts"

/** A database that exists until the scope closes. */
const database = Effect.acquireRelease(Effect.promise(makeTestDatabase), ({ drop }) => Effect.promise(drop))

const appliedSteps = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ name: string }>`SELECT name FROM postcode.migrations ORDER BY migration_id`
  return rows.map(({ name }) => name)
})

describe("migrate", () => {
  it.live("runs each step once, even if many replicas start at the same time", () =>
    Effect.gen(function* () {
      const { url } = yield* database
      // On a slow machine a step keeps the others waiting for longer than a lock may: they try again.
      yield* Effect.replicateEffect(waits(url), 8, { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* waits(url), [])
      const steps = yield* Effect.provide(appliedSteps, layerDatabase({ url: Redacted.make(url) }))
      assert.isAbove(steps.length, 0)
      assert.strictEqual(new Set(steps).size, steps.length)
    }).pipe(Effect.scoped)
  )

  it.live("leaves an up-to-date schema unchanged, without creating anything or waiting for readers", () =>
    Effect.gen(function* () {
      const { url } = yield* database
      yield* Effect.provide(migrate, layerDatabase({ url: Redacted.make(url) }))
      const backup = yield* connected(url)
      // A stronger lock than that of pg_dump: it allows only reading.
      yield* asking(backup, "BEGIN; LOCK TABLE postcode.migrations IN EXCLUSIVE MODE")
      assert.deepStrictEqual(yield* waits(url, { timeout_ms: 1_000 }), [])
    }).pipe(Effect.scoped)
  )

  it.live("works with a role that owns the schema but may not create schemas", () =>
    Effect.gen(function* () {
      const { url } = yield* database
      const owner = yield* connected(url)
      const role = `owner_${new URL(url).pathname.slice(1)}`
      yield* asking(owner, `CREATE ROLE ${role} LOGIN PASSWORD 'secret'; CREATE SCHEMA postcode AUTHORIZATION ${role}`)
      const own = new URL(url)
      own.username = role
      own.password = "secret"
      assert.deepStrictEqual(yield* waits(own.href), [])
      assert.deepStrictEqual(yield* waits(own.href), [])
      yield* asking(owner, `DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`)
    }).pipe(Effect.scoped)
  )
})

describe("prepareDatabase", () => {
  it.live("waits for a table that a step needs and another transaction locks", () =>
    Effect.gen(function* () {
      const { url } = yield* database
      const other = yield* connected(url)
      yield* asking(other, "CREATE SCHEMA postcode")
      yield* asking(other, "BEGIN; CREATE TABLE postcode.organizations ()")
      const reasons = yield* waits(url, { onWait: () => void other.query("ROLLBACK") })
      assert.deepStrictEqual(reasons, ['Migration "1_baseline" failed: canceling statement due to lock timeout'])
    }).pipe(Effect.scoped)
  )

  it.live("waits for a database that is lost between the migration and the check", () =>
    Effect.gen(function* () {
      const { url } = yield* database
      let attempts = 0
      const check = Effect.flatMap(SqlClient.SqlClient, (sql) =>
        attempts++ === 0 ? sql`SELECT pg_terminate_backend(pg_backend_pid())` : requireSessions
      )
      const reasons = yield* waits(url, { check: Effect.asVoid(check) }, 2)
      assert.strictEqual(reasons.length, 1)
      assert.strictEqual(attempts, 2)
    }).pipe(Effect.scoped)
  )

  it.live("fails after its timeout", () =>
    Effect.gen(function* () {
      const { url } = yield* database
      const other = yield* connected(url)
      yield* asking(
        other,
        `CREATE SCHEMA postcode; CREATE TABLE postcode.migrations (
        migration_id integer PRIMARY KEY, created_at timestamptz NOT NULL DEFAULT now(), name text NOT NULL)`
      )
      yield* asking(other, "BEGIN; SELECT * FROM postcode.migrations")
      const unusable = yield* Effect.flip(waits(url, { timeout_ms: 500 }))
      assert.strictEqual(unusable.message, "canceling statement due to lock timeout")
    }).pipe(Effect.scoped)
  )

  it.live("reports the step and the reason of a refusal, and does not retry", () =>
    Effect.gen(function* () {
      const { url } = yield* database
      const other = yield* connected(url)
      yield* asking(other, "CREATE SCHEMA postcode; CREATE TABLE postcode.organizations ()")
      const unusable = yield* Effect.flip(waits(url))
      assert.strictEqual(unusable.message, 'Migration "1_baseline" failed: relation "organizations" already exists')
    }).pipe(Effect.scoped)
  )

  it.live("starts again if the connection breaks during a step", () =>
    Effect.gen(function* () {
      const { url } = yield* database
      const proxy = yield* proxyTo(url)
      proxy.lose("CREATE TABLE postcode.organizations", "breaks")
      assert.strictEqual((yield* waits(proxy.url)).length, 1)
      assert.strictEqual(proxy.lost(), 1)
    }).pipe(Effect.scoped)
  )
})

/** Prepares a database, and returns the reason for which it waited. */
const waits = (url: string, options: PrepareOptions = {}, maxConnections = 1) => {
  const reasons: Array<string> = []
  const onWait = (reason: string) => {
    reasons.push(reason)
    options.onWait?.(reason)
  }
  return Effect.as(prepareDatabase({ ...options, onWait }), reasons).pipe(
    Effect.provide(layerDatabase({ url: Redacted.make(url), maxConnections }))
  )
}

const connected = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ connectionString: url })
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )

const asking = (client: Client, statement: string) => Effect.promise(() => client.query(statement))
