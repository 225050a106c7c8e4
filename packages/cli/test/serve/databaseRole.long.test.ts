/** `deploy/database.sql`: the role of the service has what it needs, and nothing more. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { environmentOn } from "@postcode/drills/Installation"
import { manage } from "@postcode/drills/Management"
import { type PostgresServer, requirePostgres, settingsForTests, startPostgres } from "@postcode/drills/postgres"
import { startService } from "@postcode/drills/StartCommand"
import { smallDirectory, temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { layerDatabase } from "@postcode/postgres"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { describe, expect, it } from "vitest"
import { run } from "../RunCommand.ts"

const script = readFileSync(fileURLToPath(new URL("../../../../deploy/database.sql", import.meta.url)), "utf8")

describe("deploy/database.sql", () => {
  it("creates a role that is no superuser, with which an import and the service work", async () => {
    await using folder = await temporaryFolder()
    await using files = await temporaryFolder()
    await writeFiles(files.path, smallDirectory)
    const server = await startPostgres({
      folder: folder.path,
      programs: requirePostgres(),
      settings: settingsForTests
    })
    try {
      await createRole(server)
      const url = server.url("postcode").replace("postgres@", "postcode@")
      expect(await roleAt(url)).toEqual([{ name: "postcode", may_more: false, databases: ["postcode"] }])
      const env = environmentOn(url)
      expect(await run(["import", files.path], { env })).toMatchObject({ code: 0 })
      await using service = await startService([], env)
      const { id } = await manage<{ readonly id: string }>(service.url, "POST", "/organizations", { name: "Test" })
      expect(id).toMatch(/^org_/)
      expect((await fetch(`${service.url}/v1/lookup?code=LA-12-A03-BG-07`)).status).toBe(200)
      expect(await run(["import", files.path, "--force"], { env })).toMatchObject({ code: 0 })
      expect(service.stderr()).not.toMatch(/put off|permission denied/)
    } finally {
      await server.stop()
    }
  })
})

/** What `psql` does with the file: variables are its own, so they are filled in here. */
const createRole = async (server: PostgresServer): Promise<void> => {
  const statements = script
    .replaceAll(/^(--|\\).*$/gm, "")
    .replaceAll(":'password'", "'secret'")
    .split(/;\s*$/m)
    .filter((statement) => statement.trim() !== "")
  const client = await server.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

/** What the role of an address may do beyond its own database, and which ones it may connect to. */
const roleAt = (url: string) =>
  Effect.runPromise(
    Effect.flatMap(
      SqlClient,
      (sql) => sql`
        SELECT rolname AS name,
          rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls
            OR EXISTS (SELECT FROM pg_auth_members WHERE member = pg_roles.oid) AS may_more,
          (SELECT array_agg(datname::text) FROM pg_database
            WHERE datallowconn AND has_database_privilege(datname, 'CONNECT')) AS databases
        FROM pg_roles WHERE rolname = current_user`
    ).pipe(Effect.provide(layerDatabase({ url: Redacted.make(url), maxConnections: 1 })))
  )
