/**
 * Databases for tests: each is new, and made on the server that `DATABASE_URL` names, or on one that is started when the
 * first is asked for and ends with the process.
 */
import { randomBytes } from "node:crypto"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import { Client } from "pg"
import { layerDatabase } from "../connection/Database.ts"
import { migrate } from "../migrations/Migrations.ts"
import { atEndOfProcess } from "./AtEndOfProcess.ts"
import { embeddedPostgres, findPostgres, settingsForTests, startPostgres } from "./PostgresServer.ts"

/** A database of one's own. */
export interface TestDatabase {
  readonly url: string
  /** Ends all connections to it, and removes it. */
  readonly drop: () => Promise<void>
}

/** Makes an empty database. */
export const makeTestDatabase = (): Promise<TestDatabase> => copyOf("template1")

/**
 * Makes a database with the schema. The schema is made once a process: every database is a copy of the first. On a server
 * that `DATABASE_URL` names no copy is left behind, so there each database is migrated by itself.
 */
export const makeMigratedDatabase = async (): Promise<TestDatabase> => {
  if (process.env.DATABASE_URL !== undefined) return migrated()
  template ??= migrated().then(({ url }) => new URL(url).pathname.slice(1))
  // A quarter of the time that it takes by way of the log. Before version 15 a server knows no other way, nor the word.
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

const copyOf = async (template: string, how = ""): Promise<TestDatabase> => {
  const server = await serverUrl()
  const name = `test_${randomBytes(8).toString("hex")}`
  await administer(server, `CREATE DATABASE ${name} TEMPLATE ${template} ${how}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => administer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

/** The programs of a server, or an error that says how to come by them. */
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
  // The server is told to end at the same time, and writes nothing more once its folder is gone.
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
