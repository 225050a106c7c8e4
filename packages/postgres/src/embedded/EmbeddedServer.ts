/**
 * A PostgreSQL server that belongs to one process: started with it on a folder, restarted when it ends, and stopped with
 * it. It listens only on a socket in the folder.
 *
 * The process holds a lock in the server for as long as it lives, by a connection that ends with it. Who has the lock has
 * the folder: a server without it is left over from a process that was killed, and is stopped and started anew.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { chmod, chown, mkdir, statfs } from "node:fs/promises"
import { hostname } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { advisoryLocks } from "../connection/AdvisoryLocks.ts"
import { settingsOf } from "./Cluster.ts"
import { type DataFolder, port } from "./DataFolder.ts"
import { EmbeddedFailure, FolderInUse, folderInUse, isFullDisk, messageOf, noSpace } from "./EmbeddedFailure.ts"
import { connectTo, holderOf, type ServerConnection } from "./ServerConnection.ts"
import { openLog, reasonsIn } from "./ServerLog.ts"
import { endProcesses, postmaster, removeStaleLocks, serverProcesses } from "./ServerProcesses.ts"
import { environmentOf, idsOf, type Programs } from "./ServerPrograms.ts"
import type { ServerUser } from "./ServerUser.ts"

export interface ServerSettings {
  readonly folder: DataFolder
  readonly programs: Programs
  readonly user: ServerUser | undefined
  /** What this process does, for the message that refuses others: `postcode serve`. */
  readonly purpose: string
  readonly maxConnections: number
  /** Settings for the recovery of a backup. Default: none. */
  readonly recovery?: Readonly<Record<string, string>>
  /** Told of everything that takes long or goes wrong. */
  readonly onEvent: (message: string) => void
}

/** A running server of this process. */
export interface RunningServer {
  /** Settles when this process can use the server no more: another process has taken the folder. */
  readonly lost: Promise<FolderInUse>
  readonly stop: () => Promise<void>
}

/** Starts the server, and restarts it until it is stopped. Rejects if it cannot start, or another process uses the folder. */
export const runServer = async (settings: ServerSettings, signal: AbortSignal): Promise<RunningServer> => {
  const server = new Server(settings)
  try {
    await server.run(signal)
    signal.throwIfAborted()
  } catch (error) {
    await server.end()
    throw error
  }
  const stopping = new AbortController()
  const watched = watch(server, settings, stopping.signal)
  return {
    // Never settles after a stop.
    lost: watched.then((lost) => lost ?? new Promise(() => {})),
    stop: async () => {
      stopping.abort()
      await watched
      await server.end()
    }
  }
}

/** Restarts the server whenever its connection is lost, until the signal. Returns why this process must not go on. */
const watch = async (
  server: Server,
  { folder, onEvent }: ServerSettings,
  signal: AbortSignal
): Promise<FolderInUse | undefined> => {
  const stopped = new Promise((resolve) => signal.addEventListener("abort", resolve))
  for (;;) {
    await Promise.race([server.disconnected, stopped])
    if (signal.aborted) return undefined
    onEvent(`PostgreSQL in ${folder.path} is down: ${await server.endOf()}`)
    for (let pause_ms = shortestPause_ms; ; pause_ms = Math.min(2 * pause_ms, longestPause_ms)) {
      try {
        await server.run(signal)
        onEvent(`PostgreSQL in ${folder.path} runs again`)
        break
      } catch (error) {
        if (signal.aborted) return undefined
        if (error instanceof FolderInUse) return error
        onEvent(`${messageOf(error)}; the next attempt is in ${pause_ms / 1000} s`)
        await Promise.race([setTimeout(pause_ms), stopped])
      }
    }
  }
}

const shortestPause_ms = 1_000
const longestPause_ms = 10_000

class Server {
  private readonly settings: ServerSettings
  /** The server that this process started last. */
  private child: ChildProcess | undefined
  /** The connection that holds the lock. */
  private lock: ServerConnection | undefined
  /** Where the log of the child begins. */
  private logFrom = 0
  constructor(settings: ServerSettings) {
    this.settings = settings
  }

  /** Makes sure that the server runs and that this process holds its lock. */
  async run(signal: AbortSignal): Promise<void> {
    const { folder, onEvent, purpose } = this.settings
    const name = `${purpose}, process ${process.pid} on ${hostname()}`
    const started_ms = performance.now()
    let wasStarted = false
    let said_ms = started_ms + 5_000
    for (;;) {
      signal.throwIfAborted()
      const connection = await connectTo(folder, name)
      if (connection !== undefined) {
        if (await this.hold(connection)) return
      } else if (this.isAlive()) {
        if (performance.now() > said_ms) {
          said_ms = performance.now() + 60_000
          onEvent(
            `waiting for PostgreSQL in ${folder.path}, which recovers what was written last: ${folder.log} has the details`
          )
        }
        await setTimeout(20)
      } else if ((await serverProcesses(folder)).length > 0) {
        // Another process's server starts or ends.
        await this.outlast(performance.now() - started_ms)
      } else {
        if (wasStarted) await this.explainEnd(performance.now() - started_ms)
        await removeStaleLocks(folder)
        await this.spawn()
        wasStarted = true
      }
    }
  }

  /** Settles when the connection with the lock ends. */
  get disconnected(): Promise<void> {
    return this.lock?.ended ?? Promise.resolve()
  }

  /** How the server ended. */
  async endOf(): Promise<string> {
    if (this.isAlive()) return "it ended its connections"
    const { exitCode, signalCode } = this.child ?? {}
    return signalCode ? `it was ended by ${signalCode}` : `it ended with ${exitCode}: ${await this.reasons()}`
  }

  /** Stops the server of this process. */
  async end(): Promise<void> {
    const { child } = this
    const ended = new Promise((resolve) => child?.once("exit", resolve))
    for (const [signal, timeout_ms] of stopSignals) {
      if (child === undefined || !this.isAlive()) break
      child.kill(signal)
      await Promise.race([ended, setTimeout(timeout_ms, undefined, { ref: false })])
    }
    await this.lock?.end()
  }

  /** Takes the lock and keeps the connection, if the server is this process's. Otherwise ends a server that nobody holds. */
  private async hold(connection: ServerConnection): Promise<boolean> {
    const { folder } = this.settings
    try {
      await this.takeLock(connection)
      const pid = await postmaster(folder)
      if (pid !== undefined && pid === this.child?.pid && this.isAlive()) {
        this.lock = connection
        return true
      }
      await this.endLeftOver(pid)
    } catch (error) {
      if (error instanceof EmbeddedFailure) throw error
      if (isFullDisk(error)) throw noSpace(folder, messageOf(error))
      // The server ended meanwhile.
      await setTimeout(50)
    } finally {
      if (this.lock !== connection) await connection.end()
    }
    return false
  }

  /** A killed process may hold the lock for a moment more. */
  private async takeLock(connection: ServerConnection): Promise<void> {
    const { folder } = this.settings
    for (const end_ms = performance.now() + lockTimeout_ms; ; await setTimeout(100)) {
      const { rows } = await connection.client.query<{ readonly locked: boolean }>(
        "SELECT pg_try_advisory_lock($1) AS locked",
        [advisoryLocks.embeddedFolder]
      )
      if (rows[0]?.locked === true) return
      if (performance.now() > end_ms) {
        throw folderInUse(folder, await holderOf(connection))
      }
    }
  }

  private async endLeftOver(pid: number | undefined): Promise<void> {
    const { folder } = this.settings
    if (pid === undefined || !(await serverProcesses(folder)).includes(pid)) {
      throw new EmbeddedFailure(
        `a PostgreSQL server that this process cannot see responds in ${folder.path}, perhaps from another container: stop it first`
      )
    }
    for (const [signal, timeout_ms] of stopSignals) if (await endProcesses(folder, pid, signal, timeout_ms)) return
    throw new EmbeddedFailure(
      `PostgreSQL in ${folder.path}, process ${pid}, is left over from an earlier run and does not end: stop it first`
    )
  }

  /** Waits for another process's server that does not answer. One that neither answers nor ends is stopped. */
  private async outlast(elapsed_ms: number): Promise<void> {
    const { folder } = this.settings
    if (elapsed_ms < silence_ms) {
      await setTimeout(50)
      return
    }
    await this.endLeftOver((await postmaster(folder)) ?? (await serverProcesses(folder))[0])
  }

  private async spawn(): Promise<void> {
    const { folder, maxConnections, programs, recovery, user } = this.settings
    await mkdir(folder.socket, { recursive: true, mode: 0o700 })
    await chmod(folder.socket, 0o700)
    if (user !== undefined) await chown(folder.socket, user.uid, user.gid)
    const { file, from } = await openLog(folder.log)
    this.logFrom = from
    const settings = Object.entries({ ...settingsOf(folder, programs, maxConnections), ...recovery }).flatMap(
      ([name, value]) => ["-c", `${name}=${value}`]
    )
    const child = spawn(join(programs.bin, "postgres"), ["-D", folder.cluster, "-p", `${port}`, ...settings], {
      cwd: "/",
      env: environmentOf(programs),
      stdio: ["ignore", file.fd, file.fd],
      // Ctrl-C in a terminal must not reach it: this process stops it when it has finished.
      detached: true,
      ...idsOf(user)
    })
    this.child = child
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve)
      child.once("error", (error) => reject(new EmbeddedFailure(`PostgreSQL could not be started: ${error.message}`)))
    }).finally(() => file.close())
  }

  private isAlive(): boolean {
    return this.child?.pid !== undefined && this.child.exitCode === null && this.child.signalCode === null
  }

  private reasons(): Promise<string> {
    return reasonsIn(this.settings.folder.log, this.logFrom)
  }

  /** Fails with the reason why the server did not start, unless another attempt may succeed. */
  private async explainEnd(elapsed_ms: number): Promise<void> {
    const { folder } = this.settings
    const reasons = await this.reasons()
    // Another process was faster or stopped it, or processes of a killed server are about to end.
    const isOthers = this.child?.exitCode === 0 || /lock file|shared memory block/.test(reasons)
    if (isOthers && elapsed_ms < silence_ms) {
      await setTimeout(200)
      return
    }
    if (/No space left on device|Disk quota exceeded/.test(reasons)) throw noSpace(folder, reasons)
    // On a full disk, the log may end before the reason.
    const { bavail, bsize } = await statfs(folder.cluster)
    if (bavail * bsize < segment_bytes) throw noSpace(folder, `${Math.floor((bavail * bsize) / 1e6)} MB are free`)
    throw new EmbeddedFailure(`PostgreSQL in ${folder.path} does not start: ${reasons}; ${folder.log} has more`)
  }
}

/** A file of the write-ahead log, of which a start may need another one. */
const segment_bytes = 16 * 1024 * 1024

/** A server of another process may need so long to start listening, or to end. */
const silence_ms = 30_000
const lockTimeout_ms = 3_000

/** First without waiting for clients, then without writing a checkpoint. */
const stopSignals = [
  ["SIGINT", 60_000],
  ["SIGQUIT", 10_000]
] as const
