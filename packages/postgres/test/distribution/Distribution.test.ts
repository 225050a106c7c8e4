/** The schema could be spread by organization: its tables, and the statements that the suites of the ports run. */
import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { closedMonths } from "../../src/credits/months/StoredMonths.ts"
import { cleanUp, keepMonths, sumUpDays } from "../../src/maintenance/Maintenance.ts"
import { archive, grownLedger, newFolder, onLedger, verified } from "../credits/months/LedgerMonths.ts"
import { layerMigrated } from "../MigratedDatabase.ts"
import { acrossOrganizations } from "./acrossOrganizations.ts"
import { checkedStatements, faultOf, oneSpaced } from "./checkedPorts.ts"
import { localTables, organizationTables, sharedTables } from "./Tables.ts"

describe("the tables of the schema", () => {
  it.effect("each is on one of three lists", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ name: string }>`SELECT relname::text AS name FROM pg_class
        WHERE relnamespace = 'postcode'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`
      assert.sameMembers(
        rows.map(({ name }) => name),
        [...organizationTables, ...sharedTables, ...localTables]
      )
    }).pipe(Effect.provide(layerMigrated))
  )

  it.effect("those of organizations have the organization first in each unique index", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ table: string; column: string | null }>`
        SELECT t.relname::text AS table, a.attname::text AS column
        FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
        LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0]
        WHERE i.indisunique AND t.relnamespace = 'postcode'::regnamespace
          AND t.relname = ANY (${[...organizationTables]}::text[])`
      assert.deepStrictEqual(
        rows.filter(({ column, table }) => column !== (table === "organizations" ? "id" : "organization_id")),
        []
      )
      assert.sameMembers([...new Set(rows.map(({ table }) => table))], [...organizationTables])
    }).pipe(Effect.provide(layerMigrated))
  )

  it.effect(
    "those of organizations have no triggers, rules, sequences or identities, and refer to each other alone",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const found = yield* sql`
        WITH t AS (
          SELECT oid, relname FROM pg_class WHERE relnamespace = 'postcode'::regnamespace
            AND relname = ANY (${[...organizationTables]}::text[])
        )
        SELECT t.relname::text, 'trigger' AS what FROM pg_trigger g JOIN t ON t.oid = g.tgrelid WHERE NOT g.tgisinternal
        UNION ALL SELECT t.relname::text, 'rule' FROM pg_rewrite r JOIN t ON t.oid = r.ev_class
        UNION ALL SELECT t.relname::text, 'identity' FROM pg_attribute a JOIN t ON t.oid = a.attrelid WHERE a.attidentity <> ''
        UNION ALL SELECT t.relname::text, 'sequence' FROM pg_depend d
          JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S' JOIN t ON t.oid = d.refobjid
        UNION ALL SELECT t.relname::text, 'default' FROM pg_attrdef d JOIN t ON t.oid = d.adrelid
          WHERE pg_get_expr(d.adbin, d.adrelid) LIKE '%nextval%'
        UNION ALL SELECT t.relname::text, 'reference' FROM pg_constraint c JOIN t ON t.oid = c.conrelid
          WHERE c.contype = 'f' AND NOT (c.confrelid IN (SELECT oid FROM t) AND EXISTS (
            SELECT FROM pg_attribute a WHERE a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
              AND a.attname = 'organization_id'
          ))`
        assert.deepStrictEqual([...found], [])
      }).pipe(Effect.provide(layerMigrated))
  )
})

describe("statements", () => {
  it.live("those of maintenance, also of past months, could run on a database that is spread by organization", () =>
    onLedger(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* grownLedger
        yield* sql`UPDATE postcode.credit_days SET day = day - 3`
        yield* checkedStatements(keepMonths())
        yield* checkedStatements(sumUpDays)
        yield* checkedStatements(cleanUp)
        assert.lengthOf(yield* closedMonths, 3)
        assert.isNotEmpty(yield* sql`SELECT day FROM postcode.credit_totals`)
      })
    )
  )

  it.live("those of the ledger's commands could run on it", () =>
    onLedger(() =>
      Effect.gen(function* () {
        yield* grownLedger
        const folder = yield* newFolder
        assert.lengthOf(yield* checkedStatements(archive(folder)), 3)
        assert.strictEqual(yield* checkedStatements(verified()), 2)
        assert.strictEqual(yield* checkedStatements(verified(folder)), 10)
      })
    )
  )

  it.effect("a fault fails a test, also if the work only logs it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const logged = Effect.ignore(Effect.sandbox(sql`SELECT id FROM postcode.api_keys`))
      const exit = yield* Effect.exit(checkedStatements(logged))
      assert.include(String(exit), "does not name one organization")
    }).pipe(Effect.provide(layerMigrated))
  )

  it("each reason for a statement is about one of the sources", () => {
    const source = new URL("../../src/", import.meta.url)
    const text = readdirSync(source, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => oneSpaced(readFileSync(new URL(file, source), "utf8")))
      .join(" ")
    assert.deepStrictEqual(
      acrossOrganizations.filter(({ includes }) => !text.includes(includes)),
      []
    )
  })

  const one = (text: string, ...parameters: ReadonlyArray<unknown>) => faultOf(text, parameters)

  it("one organization is named by a parameter, also in subqueries, and by what is joined to it", () => {
    const named = [
      "SELECT id FROM postcode.api_keys WHERE organization_id = $1 AND number < 5",
      "SELECT id FROM postcode.organizations WHERE id = $1::text FOR UPDATE",
      "INSERT INTO postcode.api_keys (id, organization_id) VALUES ('key', $1)",
      "INSERT INTO postcode.api_keys AS k (id, organization_id) SELECT 'key', o.id FROM postcode.organizations o WHERE o.id = $1",
      `WITH removed AS (DELETE FROM postcode.webhook_endpoints WHERE organization_id = $1 RETURNING *)
        DELETE FROM postcode.webhook_deliveries d USING removed r WHERE d.organization_id = r.organization_id`,
      `SELECT * FROM unnest($2) AS w (key_id) CROSS JOIN LATERAL (
        SELECT * FROM postcode.api_keys k WHERE k.organization_id = $1 AND k.id = w.key_id LIMIT 1) k`,
      "SELECT * FROM postcode.organizations o WHERE o.id = $1 AND EXISTS (SELECT FROM postcode.api_keys k WHERE k.organization_id = o.id)",
      "SELECT FROM postcode.accounts WHERE is_operator"
    ]
    for (const text of named) assert.isUndefined(one(text, "org"), text)
  })

  it("another organization, a list of them, an alternative or a missing condition does not name one", () => {
    const unnamed = [
      "SELECT charged FROM postcode.key_days WHERE chain_id = $1",
      "SELECT id FROM postcode.api_keys WHERE organization_id = ANY ($3)",
      "SELECT id FROM postcode.api_keys WHERE (organization_id = $1 OR id = $2)",
      "SELECT * FROM postcode.api_keys k, postcode.key_days d WHERE k.organization_id = $1 AND d.chain_id = k.id",
      "SELECT * FROM postcode.api_keys k, postcode.key_days d WHERE k.organization_id = $1 AND d.organization_id = $2",
      "SELECT FROM postcode.organizations o WHERE o.id = $1 AND EXISTS (SELECT FROM postcode.api_keys k WHERE k.id = $2)",
      "INSERT INTO postcode.audit_events_default (number) VALUES (1)",
      "INSERT INTO postcode.selections (organization_id) SELECT s.organization_id FROM json_to_recordset($1) AS s (organization_id text)"
    ]
    for (const text of unnamed)
      assert.include(one(text, "org", "other", []) ?? "", "does not name one organization", text)
  })
})
