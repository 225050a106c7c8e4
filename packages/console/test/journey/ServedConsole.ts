/** The service with its console, as `postcode serve` starts it, on either store; its clock can be moved. */

import { type PostgresServer, settingsForTests, startPostgres } from "../../../../drills/kit/postgres/PostgresServer.ts"
import { requirePostgres } from "../../../../drills/kit/postgres/TestDatabase.ts"
import { runProcess, startService } from "../../../../drills/kit/StartCommand.ts"
import { smallDirectory, temporaryFolder, writeFiles } from "../../../../drills/kit/TemporaryFolder.ts"
import { type ConsoleSite, manager, operatorToken } from "../ConsoleSite.ts"

export type StoreName = "memory" | "postgres"

export interface ServedConsole extends AsyncDisposable {
  readonly origin: string
  /** The link that opens the first operator's account, as it is printed. */
  readonly claimLink: string
  /** All that it wrote to its standard output and error. */
  readonly log: () => string
  readonly manage: ConsoleSite["manage"]
  /** Moves its clock: on, or back. */
  readonly pass_s: (seconds: number) => void
  /** Every row of every table, as text; empty where there is no database. */
  readonly rows: () => Promise<string>
}

export const serveConsole = async (store: StoreName): Promise<ServedConsole> => {
  const [files, database] = [await temporaryFolder(), await temporaryFolder()]
  const directory = files.path
  await writeFiles(directory, smallDirectory)
  const server = store === "postgres" ? await startDatabase(database.path, directory) : undefined
  const service = await startService(["--access-log", ...(server === undefined ? ["--directory", directory] : [])], {
    ...secrets,
    ...(server !== undefined && { DATABASE_URL: server.url("postgres") }),
    POSTCODE_NO_CONSOLE: "false",
    POSTCODE_TRUSTED_PROXIES: "127.0.0.1",
    NODE_OPTIONS: `--import=${new URL("./MovableClock.ts", import.meta.url).href}`
  })
  let stdout = ""
  service.process.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk
  })
  return {
    origin: service.url,
    claimLink: /console +(\S+#join=\w+)/.exec(service.stderr())?.[1] ?? "",
    log: () => stdout + service.stderr(),
    manage: manager(service.url),
    pass_s: (seconds) => service.process.stdin.write(`${seconds}\n`),
    rows: async () => (server === undefined ? "" : await rowsOf(server)),
    [Symbol.asyncDispose]: async () => {
      await service.stop()
      await server?.stop()
      await Promise.all([files, database].map((folder) => folder[Symbol.asyncDispose]()))
    }
  }
}

const secrets = {
  POSTCODE_OPERATOR_TOKEN: operatorToken,
  POSTCODE_IDENTIFIER_PEPPER: "a-pepper-for-tests-and-nothing-else",
  POSTCODE_SESSION_KEYS: "tests:a-signing-key-for-tests-and-nothing-else"
}

const startDatabase = async (folder: string, directory: string): Promise<PostgresServer> => {
  const server = await startPostgres({ folder, programs: requirePostgres(), settings: settingsForTests })
  const { code, stderr } = await runProcess(["import", directory], { env: { DATABASE_URL: server.url("postgres") } })
  if (code !== 0) throw new Error(stderr)
  return server
}

const rowsOf = async (server: PostgresServer): Promise<string> => {
  const client = await server.connect()
  try {
    const tables = await client.query<{ readonly name: string }>(
      "SELECT oid::regclass::text AS name FROM pg_class WHERE relkind IN ('r', 'm') ORDER BY 1"
    )
    const texts: Array<string> = []
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ readonly row: string }>(`SELECT t::text AS row FROM ${name} AS t`)
      texts.push(name, ...rows.map(({ row }) => row))
    }
    return texts.join("\n")
  } finally {
    await client.end()
  }
}
