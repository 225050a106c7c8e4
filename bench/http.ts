/**
 * Requests through HTTP with all conventions: the command `postcode serve`, compared with a `node:http` server that
 * returns the same bytes. bench/README.md explains each figure.
 */
import { join } from "node:path"
import { demoDirectory } from "@postcode/demo"
import { type Bench, compared, type Figure } from "./Bench.ts"
import { Child } from "./http/Child.ts"
import { Comparison, type SharedProcesses } from "./http/Comparison.ts"
import { openCustomers, openSessions } from "./http/customers.ts"
import { peakMemory_bytes, requireProcessStats } from "./http/processUse.ts"
import { type ServiceProcess, startService } from "./http/ServiceProcess.ts"
import { endpoints, endpointsByAuthentication, paidEndpoint } from "./http/Traffic.ts"
import type { ProcessOptions } from "./process/FreshProcess.ts"
import { runCommand } from "./process/runCommand.ts"
import { startDatabase } from "./setUp/startDatabase.ts"
import { inTemporaryFolder } from "./setUp/TemporaryFolder.ts"

export interface HttpBenchSettings {
  /** Node's flags for the services' processes. */
  readonly nodeFlags: ReadonlyArray<string>
  readonly connections: number
  readonly rounds: number
  readonly warm_up_rounds: number
  /** Requests per endpoint and round. */
  readonly requests: number
  /** The number of organizations. */
  readonly customers: number
  /** The number of widget sessions. */
  readonly sessions: number
}

export const httpBench = (settings: Partial<HttpBenchSettings> = {}): Bench =>
  async function* ({ progress, units = 250_000 }) {
    requireProcessStats()
    const given: HttpBenchSettings = { ...defaults, ...settings }
    yield* inTemporaryFolder((folder, signal) => measure({ ...given, folder, progress, signal, units }))
  }

const defaults: HttpBenchSettings = {
  nodeFlags: process.execArgv,
  connections: 64,
  rounds: 9,
  // Until then Node has not compiled all code optimally.
  warm_up_rounds: 5,
  requests: 10_000,
  customers: 50,
  // More than the verified tokens that a service remembers.
  sessions: 5_000
}

interface Run extends HttpBenchSettings, ProcessOptions {
  readonly folder: string
  readonly units: number
}

async function* measure(run: Run): AsyncGenerator<Figure> {
  await using running = new AsyncDisposableStack()
  const { customers, folder, nodeFlags, progress, sessions, units } = run
  progress("making a directory and a database")
  const files = join(folder, "directory")
  await runCommand(["demo", files, `--units=${units}`], run)
  const database = running.adopt(await startDatabase(folder), ({ stop }) => stop())
  const databaseUrl = `--database-url=${database.url("postgres")}`
  await runCommand(["import", files, databaseUrl], run)
  const start = async (flag: string): Promise<ServiceProcess> =>
    running.adopt(await startService([flag], run), ({ stop }) => stop())
  const inMemory = await start(`--directory=${files}`)
  const onDatabase = await start(databaseUrl)
  const sharedProcesses: SharedProcesses = {
    raw: running.adopt(new Child(new URL("./http/rawProcess.ts", import.meta.url), nodeFlags), (raw) => raw.end()),
    load: running.adopt(new Child(new URL("./http/loadProcess.ts", import.meta.url), nodeFlags), (load) => load.end())
  }
  progress("opening accounts")
  const { directory } = demoDirectory({ units })
  const clients = await openCustomers(inMemory.operator, customers)
  const tokens = await openSessions(inMemory.port, clients, sessions)
  const asking = [...endpoints(directory, clients), ...endpointsByAuthentication(directory, clients, tokens)]
  const paying = paidEndpoint(directory, await openCustomers(onDatabase.operator, customers))
  const comparisons = [
    ...asking.map((endpoint) => new Comparison(endpoint, inMemory, sharedProcesses)),
    new Comparison({ ...paying, name: `${paying.name}, on PostgreSQL` }, onDatabase, sharedProcesses, database.pid())
  ]
  await runRounds(comparisons, run)
  for (const comparison of comparisons) yield* comparison.figures()
  yield memoryFigure("in memory", inMemory, sharedProcesses)
  yield memoryFigure("on PostgreSQL", onDatabase, sharedProcesses)
}

/** All are measured in each round, so that other load on the machine affects all alike. */
const runRounds = async (comparisons: ReadonlyArray<Comparison>, run: Run): Promise<void> => {
  const { progress, rounds, warm_up_rounds } = run
  for (let round = -warm_up_rounds; round < rounds; round++) {
    progress(round < 0 ? "warming up" : `round ${round + 1} of ${rounds}`)
    for (const comparison of comparisons) await comparison.run(round, run, round >= 0)
  }
}

const memoryFigure = (where: string, { pid }: ServiceProcess, { raw }: SharedProcesses): Figure =>
  compared("less", {
    bench: "http",
    figure: `peak memory, ${where}`,
    value: peakMemory_bytes(pid),
    unit: "bytes",
    peer: "raw node:http",
    peer_value: peakMemory_bytes(raw.pid)
  })
