/**
 * What a directory needs: files, memory, times and disk of each way to run it, at one size. There is no peer; docs/sizing.md
 * has the table of several sizes.
 */
import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { demoDirectory } from "@postcode/demo"
import pg from "pg"
import { type Bench, compared, type Figure } from "./Bench.ts"
import { openCustomers } from "./http/customers.ts"
import { startService } from "./http/ServiceProcess.ts"
import { endpoints } from "./http/Traffic.ts"
import type { ProcessOptions } from "./process/FreshProcess.ts"
import { runCommand } from "./process/runCommand.ts"
import { statusField } from "./process/statusField.ts"
import { startClients } from "./restarts/clients.ts"
import { startDatabase } from "./setUp/startDatabase.ts"
import { inTemporaryFolder } from "./setUp/TemporaryFolder.ts"

export interface SizingBenchSettings {
  /** Node's flags for the processes. */
  readonly nodeFlags: ReadonlyArray<string>
  /** How long lookups are charged, to see what each adds to the database. */
  readonly charging_s: number
}

const defaults: SizingBenchSettings = { nodeFlags: process.execArgv, charging_s: 20 }

export const sizingBench = (settings: Partial<SizingBenchSettings> = {}): Bench =>
  async function* ({ progress, units = 1_000_000 }) {
    const given = { ...defaults, ...settings }
    yield* inTemporaryFolder((folder, signal) => measure({ ...given, folder, progress, signal, units }))
  }

interface Run extends SizingBenchSettings, ProcessOptions {
  readonly folder: string
  readonly units: number
}

async function* measure(run: Run): AsyncGenerator<Figure> {
  const { folder, progress, units } = run
  const files = join(folder, "directory")
  progress(`writing the files of ${units.toLocaleString("en")} units`)
  await runCommand(["demo", files, `--units=${units}`], run)
  yield figure("directory files", "bytes", await bytesIn(files))
  yield* snapshots(run, files)
  yield* serviceOn("on a snapshot file", ["--directory", join(folder, "plain.snapshot")], run)
  yield* serviceOn("on directory files", ["--directory", files], run)
  yield* database(run, files)
}

/** A figure without a peer. */
const figure = (name: string, unit: string, value: number): Figure =>
  compared("less", { bench: "sizing", figure: name, value, unit, peer: null, peer_value: null })

const bytesIn = async (folder: string): Promise<number> => {
  const sizes = (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

async function* snapshots(run: Run, files: string): AsyncGenerator<Figure> {
  for (const [name, flags] of [
    ["plain", []],
    ["addresses", ["--addresses"]]
  ] as const) {
    const what = name === "plain" ? "snapshot" : "snapshot with addresses"
    run.progress(`building a ${what}`)
    const file = join(run.folder, `${name}.snapshot`)
    const { peak_bytes, time_s } = await runCommand(["snapshot", "build", files, "-o", file, ...flags], run)
    yield figure(what, "bytes", (await stat(file)).size)
    yield figure(`${what}, time to build`, "s", time_s)
    yield figure(`${what}, peak memory of the build`, "bytes", peak_bytes)
  }
}

/** Starts a service, and stops it. */
async function* serviceOn(how: string, flags: ReadonlyArray<string>, run: Run): AsyncGenerator<Figure> {
  run.progress(`starting the service ${how}`)
  const start_ms = performance.now()
  const service = await startService(flags, run)
  try {
    yield figure(`service ${how}, time to ready`, "s", (performance.now() - start_ms) / 1000)
    // What only the start needed is given back by then.
    await setTimeout(5_000)
    yield figure(`service ${how}, memory`, "bytes", statusField(service.pid, "VmRSS"))
    yield figure(`service ${how}, peak memory`, "bytes", statusField(service.pid, "VmHWM"))
  } finally {
    await service.stop()
  }
}

async function* database(run: Run, files: string): AsyncGenerator<Figure> {
  const { folder, progress } = run
  const server = await startDatabase(folder, { shared_buffers: "256MB", max_wal_size: "4GB" })
  try {
    const url = server.url("postgres")
    progress("importing into PostgreSQL")
    const { peak_bytes, time_s } = await runCommand(["import", files, `--database-url=${url}`], run)
    yield figure("import into PostgreSQL, time", "s", time_s)
    yield figure("import into PostgreSQL, peak memory of the command", "bytes", peak_bytes)
    yield figure("database after the import", "bytes", await databaseBytes(url))
    yield* serviceOn("on PostgreSQL", [`--database-url=${url}`], run)
    yield figure("database, for each charged lookup", "bytes", await bytesOfCharge(run, url))
  } finally {
    await server.stop()
  }
}

/** By how much the database grows for each charged lookup, indexes included. */
const bytesOfCharge = async (run: Run, url: string): Promise<number> => {
  run.progress("charging lookups")
  const service = await startService([`--database-url=${url}`], run)
  try {
    const customers = await openCustomers(service.operator, 20)
    const lookups = endpoints(demoDirectory({ units: run.units }).directory, customers).filter(
      ({ name }) => name === "lookup, level 2"
    )
    const before = await databaseBytes(url)
    const clients = startClients(service.port, 32, 0, () => (lookups[0] as (typeof lookups)[number]).draw())
    await setTimeout(run.charging_s * 1000)
    const { failures, paid } = await clients.stop()
    if (failures.size > 0) throw new Error(`lookups failed: ${[...failures.keys()].join(", ")}`)
    return ((await databaseBytes(url)) - before) / paid.size
  } finally {
    await service.stop()
  }
}

const databaseBytes = async (url: string): Promise<number> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ readonly bytes: string }>(
      "SELECT pg_database_size(current_database()) AS bytes"
    )
    return Number(rows[0]?.bytes)
  } finally {
    await client.end()
  }
}
