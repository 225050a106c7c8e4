/**
 * Databases for tests: each is new, and made on the server that `DATABASE_URL` names, or on one that is started when the
 * first is asked for and ends with the process.
 */
import { randomBytes } from "node:crypto"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "pg"
import { atEndOfProcess } from "./AtEndOfProcess.ts"
import { embeddedPostgres, findPostgres, settingsForTests, startPostgres } from "./PostgresServer.ts"

/** A database of one's own. */
export interface TestDatabase {
  readonly url: string
  /** Ends all connections to it, and removes it. */
  readonly drop: () => Promise<void>
}

/** Makes an empty database. */
export const makeTestDatabase = async (): Promise<TestDatabase> => {
  const server = await serverUrl()
  const name = `test_${randomBytes(8).toString("hex")}`
  await administer(server, `CREATE DATABASE ${name}`)
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
