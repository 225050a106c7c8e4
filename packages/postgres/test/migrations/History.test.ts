/** The service's role cannot change the ledger or the audit log. */
import { assert, describe, it } from "@effect/vitest"
import { nextTimestamp, openAccount } from "@postcode/conformance"
import { makeTestDatabase } from "@postcode/drills/postgres"
import { AuditLog } from "@postcode/gateway/audit/AuditLog"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import { prepareDatabase } from "@postcode/postgres"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Client } from "pg"
import { keepMonths } from "../../src/maintenance/Maintenance.ts"
import { connectionsTo } from "../MigratedDatabase.ts"
import { storeOn } from "../TestStore.ts"

/** The address of a new database as a role that owns it and has no other rights, as in deploy/database.sql. */
const ownDatabase = Effect.acquireRelease(
  Effect.promise(async () => {
    const { drop, url } = await makeTestDatabase()
    const database = new URL(url).pathname.slice(1)
    const role = `service_${database}`
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'; ALTER DATABASE ${database} OWNER TO ${role}`)
    const own = new URL(url)
    own.username = role
    own.password = "secret"
    const remove = async () => {
      await client.end()
      await drop()
      const server = new Client({ connectionString: url.replace(`/${database}`, "/postgres") })
      await server.connect()
      await server.query(`DROP ROLE ${role}`)
      await server.end()
    }
    return { url: own.href, remove }
  }),
  ({ remove }) => Effect.promise(remove)
)

describe("the role that owns the schema", () => {
  it.live("writes the ledger and the audit log, maintains their months, and cannot change their rows", () =>
    Effect.gen(function* () {
      const { url } = yield* ownDatabase
      yield* Effect.provide(prepareDatabase(), connectionsTo(url))
      const work = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ledger = yield* CreditLedger
        const { account, charge } = yield* openAccount(10)
        yield* ledger.grant({ ...account, amount: 5, reference: "r" })
        assert.deepStrictEqual(yield* ledger.charge(charge(3)), { charged: 3, balance: 12 })
        const event = {
          at: nextTimestamp(),
          actor: "operator",
          action: "key.created",
          subject: "key",
          details: {}
        } as const
        yield* (yield* AuditLog).append({ ...event, id: "in the default" })
        // An event moves to its month.
        yield* keepMonths()
        yield* (yield* AuditLog).append({ ...event, id: "in its month" })
        const months = yield* sql<{ name: string }>`SELECT relname::text AS name FROM pg_inherits
          JOIN pg_class ON pg_class.oid = inhrelid
          WHERE inhparent IN ('postcode.audit_events'::regclass, 'postcode.ledger_entries'::regclass)`
        assert.isAbove(months.length, 8)
        const others = ["ledger_entries", "ledger_references", "ledger_closings", "audit_events"]
        const tables = [...others, ...months.map(({ name }) => name)]
        for (const table of tables) {
          const changes = [`UPDATE postcode.${table} SET organization_id = 'x'`, `TRUNCATE postcode.${table}`]
          // Rows without a month are moved later.
          const isMovable = table === "audit_events_default"
          for (const change of isMovable ? changes : [...changes, `DELETE FROM postcode.${table}`]) {
            const { reason } = yield* Effect.flip(sql.unsafe(change))
            assert.include(String(reason.cause), `permission denied for table ${table}`)
          }
        }
        const page = { limit: 10, cursor: undefined }
        const { entries } = yield* ledger.statement(account, page)
        assert.deepStrictEqual(
          entries.items.map(({ amount }) => amount),
          [-3, 5, 10]
        )
        const { items } = yield* (yield* AuditLog).list({ subject: "key" }, page)
        assert.deepStrictEqual(
          items.map(({ id }) => id),
          ["in its month", "in the default"]
        )
      })
      yield* Effect.provide(work, storeOn(url))
    }).pipe(Effect.scoped)
  )
})
