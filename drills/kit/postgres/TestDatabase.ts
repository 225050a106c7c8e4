/**
 * New databases for tests, on the server of `DATABASE_URL`, or on one that is started for the first database and ends
 * with the process.
 */
import { randomBytes } from "node:crypto"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layerDatabase, migrate } from "@postcode/postgres"
import { Effect, Redacted } from "effect"
import { Client } from "pg"
import { atEndOfProcess } from "./AtEndOfProcess.ts"
import { embeddedPostgres, findPostgres, settingsForTests, startPostgres } from "./PostgresServer.ts"

export interface TestDatabase {
  readonly url: string
  /** Ends all connections and drops the database. */
  readonly drop: () => Promise<void>
}

/** Creates an empty database. */
export const makeTestDatabase = (): Promise<TestDatabase> => copyOf("template1")

/**
 * Creates a database with the schema. Migrations run once per process, and every database is a copy of the first. On
 * the server of `DATABASE_URL` they run for each database instead, because the first would be left behind.
 */
export const makeMigratedDatabase = async (): Promise<TestDatabase> => {
  if (process.env.DATABASE_URL !== undefined) return migrated()
  template ??= migrated().then(({ url }) => new URL(url).pathname.slice(1))
  // Four times as fast as through the write-ahead log. Before version 15, it is the only strategy, without this option.
  return copyOf(await template, embeddedPostgres() === undefined ? "" : "STRATEGY FILE_COPY")
}

let template: Promise<string> | undefined

const migrated = async (): Promise<TestDatabase> => {
  const database = await makeTestDatabase()
  await Effect.runPromise(
    Effect.provide(migrate, layerDatabase({ url: Redacted.make(database.url), maxConnections: 1 }))
  )
  return database
}

const copyOf = async (template: string, options = ""): Promise<TestDatabase> => {
  const server = await serverUrl()
  const name = `test_${randomBytes(8).toString("hex")}`
  await administer(server, `CREATE DATABASE ${name} TEMPLATE ${template} ${options}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => administer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

/** The folder of the server's programs; throws an error with instructions if there are none. */
export const requirePostgres = (): string => {
  const programs = embeddedPostgres() ?? findPostgres()
  if (programs !== undefined) return programs
  throw new Error(
    "these tests need PostgreSQL: npm brings it for Linux and for macOS on arm64, as an optional dependency; elsewhere install it, or name a server in DATABASE_URL"
  )
}

let started: Promise<string> | undefined

const serverUrl = (): Promise<string> => {
  started ??= process.env.DATABASE_URL === undefined ? startOwnServer() : Promise.resolve(process.env.DATABASE_URL)
  return started
}

const startOwnServer = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "postcode-postgres-"))
  // The server ends at the same time, and may still write while its folder is first removed.
  atEndOfProcess('rm -rf "$1"; sleep 1; rm -rf "$1"', folder)
  const server = await startPostgres({ folder, programs: requirePostgres(), settings: settingsForTests })
  return server.url("postgres")
}

const administer = async (server: string, statement: string): Promise<void> => {
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
