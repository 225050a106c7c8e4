/**
 * The overloaded service: throughput and latency, compared with the same service without load control; and normal
 * clients next to slow ones. bench/README.md explains each figure.
 */
import { join } from "node:path"
import { demoDirectory } from "@postcode/demo"
import type { Bench, Figure } from "./Bench.ts"
import { Child } from "./http/Child.ts"
import { startService } from "./http/ServiceProcess.ts"
import { Loads, type Pair } from "./overload/Loads.ts"
import { makeSide } from "./overload/Side.ts"
import type { ProcessOptions } from "./process/FreshProcess.ts"
import { runCommand } from "./process/runCommand.ts"
import { startDatabase } from "./setUp/startDatabase.ts"
import { inTemporaryFolder } from "./setUp/TemporaryFolder.ts"

export interface OverloadBenchSettings {
  /** Node's flags for the services' processes. */
  readonly nodeFlags: ReadonlyArray<string>
  /** Connections per stream of requests. */
  readonly connections: number
  readonly slowClients: number
  readonly customers: number
  readonly rounds: number
  /** The warm-up and the measured time of each load. */
  readonly settle_s: number
  readonly time_s: number
}

export const overloadBench = (settings: Partial<OverloadBenchSettings> = {}): Bench =>
  async function* ({ progress, units = 250_000 }) {
    const given: OverloadBenchSettings = { ...defaults, ...settings }
    yield* inTemporaryFolder((folder, signal) => measure({ ...given, folder, progress, signal, units }))
  }

const defaults: OverloadBenchSettings = {
  nodeFlags: process.execArgv,
  connections: 1_000,
  slowClients: 500,
  customers: 50,
  rounds: 5,
  settle_s: 2,
  time_s: 3
}

interface Run extends OverloadBenchSettings, ProcessOptions {
  readonly folder: string
  readonly units: number
}

async function* measure(run: Run): AsyncGenerator<Figure> {
  await using running = new AsyncDisposableStack()
  const { customers, folder, nodeFlags, progress, rounds, units } = run
  progress("making a directory and a database")
  const files = join(folder, "directory")
  await runCommand(["demo", files, `--units=${units}`], run)
  const database = running.adopt(await startDatabase(folder), ({ stop }) => stop())
  const databaseUrl = `--database-url=${database.url("postgres")}`
  await runCommand(["import", files, databaseUrl], run)
  const { directory } = demoDirectory({ units })
  const start = async (...flags: ReadonlyArray<string>) =>
    running.adopt(await startService(flags, run), ({ stop }) => stop())
  const pair = async (flag: string): Promise<Pair> => ({
    controlled: await makeSide("controlled", await start(flag), flag === databaseUrl, directory, customers),
    bare: await makeSide("bare", await start(flag, "--no-load-control"), flag === databaseUrl, directory, customers)
  })
  const child = <Order, Answer>(module: URL) =>
    running.adopt(new Child<Order, Answer>(module, nodeFlags), (one) => one.end())
  const load = new Loads(
    run,
    child(new URL("./overload/openLoopProcess.ts", import.meta.url)),
    child(new URL("./overload/slowClientsProcess.ts", import.meta.url))
  )
  const inMemory = await pair(`--directory=${files}`)
  const onDatabase = await pair(databaseUrl)
  for (let round = 0; round < rounds; round++) {
    progress(`round ${round + 1} of ${rounds}: free requests, in memory`)
    await load.flood("free", inMemory)
    progress(`round ${round + 1} of ${rounds}: paid lookups, on PostgreSQL`)
    await load.flood("paid", onDatabase)
    progress(`round ${round + 1} of ${rounds}: both, on PostgreSQL`)
    await load.beside("free", "paid", onDatabase)
    await load.beside("paid", "free", onDatabase)
    progress(`round ${round + 1} of ${rounds}: slow clients`)
    await load.besideSlow(inMemory)
  }
  yield* load.figures()
}
