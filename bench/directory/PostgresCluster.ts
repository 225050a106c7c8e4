/**
 * A PostgreSQL server of the benchmark's own: made in a folder, reachable through a socket in that folder alone, and
 * gone at the end. It needs the server's programs, and never a password or a port.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { accessSync, chmodSync, chownSync, constants, mkdirSync, readdirSync } from "node:fs"
import { delimiter, join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import { Client } from "pg"

export interface PostgresCluster {
  readonly connect: () => Promise<Client>
  /** Ends the server. The folder stays. */
  readonly stop: () => Promise<void>
}

/** The folder of `initdb` and `postgres`, of the newest version there is; undefined if there is none. */
export const findPostgres = (folders: ReadonlyArray<string> = usualFolders()): string | undefined =>
  folders.find((folder) => ["initdb", "postgres"].every((program) => isExecutable(join(folder, program))))

/** Makes a cluster in a folder that is empty or not there yet, and starts it. */
export const startCluster = async (programs: string, folder: string): Promise<PostgresCluster> => {
  const data = join(folder, "data")
  const user = await unprivilegedUser()
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  // The server's user has to get in, whatever the process says about the files it makes.
  chmodSync(folder, 0o755)
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const initdb = ["-D", data, "-U", "bench", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"]
  await promisify(execFile)(join(programs, "initdb"), initdb, { cwd: folder, ...user })
  const settings = Object.entries(serverSettings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const server = spawn(join(programs, "postgres"), ["-D", data, "-k", folder, ...settings], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
    ...user
  })
  // Whatever ends this process ends the server.
  const abandon = (): void => {
    server.kill("SIGQUIT")
  }
  process.once("exit", abandon)
  server.once("exit", () => process.off("exit", abandon))
  let log = ""
  server.stderr.on("data", (text: Buffer) => {
    log = (log + text.toString()).slice(-longestLog)
  })
  const connect = async (): Promise<Client> => {
    const client = new Client({ host: folder, user: "bench", database: "postgres" })
    await client.connect()
    return client
  }
  const stop = (): Promise<void> => stopServer(server)
  await firstAnswer(server, connect, () => log)
  return { connect, stop }
}

/** What a read-only service with memory to spare sets; nothing here makes a query slower. */
const serverSettings = {
  listen_addresses: "",
  shared_buffers: "1GB",
  effective_cache_size: "4GB",
  maintenance_work_mem: "512MB",
  max_wal_size: "8GB",
  wal_level: "minimal",
  max_wal_senders: "0",
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  autovacuum: "off",
  jit: "off",
  plan_cache_mode: "force_generic_plan"
} as const

const longestLog = 10_000

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

const firstAnswer = async (server: ChildProcess, connect: () => Promise<Client>, log: () => string): Promise<void> => {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (server.exitCode !== null || server.signalCode !== null) break
    try {
      const client = await connect()
      await client.end()
      return
    } catch {
      await setTimeout(100)
    }
  }
  await stopServer(server)
  throw new Error(`the PostgreSQL server does not answer: ${log()}`)
}

/** Without waiting for clients. Nothing of what it holds is needed again. */
const stopServer = async (server: ChildProcess): Promise<void> => {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = new Promise((resolve) => server.once("exit", resolve))
  server.kill("SIGQUIT")
  await ended
}
