/**
 * Requests through HTTP, conventions and all: the service as a person runs it, beside a server of bare `node:http` that
 * answers the same bytes without a thought. docs/performance.md says what each figure means.
 */
import { join } from "node:path"
import { demoDirectory } from "@postcode/demo"
import { type Bench, compared, type Figure } from "./Bench.ts"
import type { ProcessOptions } from "./directory/FreshProcess.ts"
import { runCommand } from "./directory/runCommand.ts"
import { Child } from "./http/Child.ts"
import { type Bystanders, Comparison } from "./http/Comparison.ts"
import { openCustomers } from "./http/customers.ts"
import { peakMemory_bytes, requireCounting } from "./http/processUse.ts"
import { type ServiceProcess, startService } from "./http/ServiceProcess.ts"
import { endpoints, paidEndpoint } from "./http/Traffic.ts"
import { startDatabase } from "./startDatabase.ts"
import { inTemporaryFolder } from "./TemporaryFolder.ts"

export interface HttpBenchSettings {
  /** Flags of Node for the processes of the services. */
  readonly nodeFlags: ReadonlyArray<string>
  readonly connections: number
  readonly rounds: number
  readonly warm_up_rounds: number
  /** How often each endpoint is asked in a round. */
  readonly requests: number
  /** How many organizations ask. */
  readonly customers: number
}

export const httpBench = (settings: Partial<HttpBenchSettings> = {}): Bench =>
  async function* ({ progress, units = 250_000 }) {
    requireCounting()
    const given: HttpBenchSettings = { ...defaults, ...settings }
    yield* inTemporaryFolder((folder, signal) => measure({ ...given, folder, progress, signal, units }))
  }

const defaults: HttpBenchSettings = {
  nodeFlags: process.execArgv,
  connections: 64,
  rounds: 9,
  // Only then has Node compiled all of it as well as it ever does.
  warm_up_rounds: 5,
  requests: 10_000,
  customers: 50
}

interface Run extends HttpBenchSettings, ProcessOptions {
  readonly folder: string
  readonly units: number
}

async function* measure(run: Run): AsyncGenerator<Figure> {
  await using running = new AsyncDisposableStack()
  const { customers, folder, nodeFlags, progress, units } = run
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
  const bystanders: Bystanders = {
    raw: running.adopt(new Child(new URL("./http/rawProcess.ts", import.meta.url), nodeFlags), (raw) => raw.end()),
    load: running.adopt(new Child(new URL("./http/loadProcess.ts", import.meta.url), nodeFlags), (load) => load.end())
  }
  progress("opening accounts")
  const { directory } = demoDirectory({ units })
  const asking = endpoints(directory, await openCustomers(inMemory.operator, customers))
  const paying = paidEndpoint(directory, await openCustomers(onDatabase.operator, customers))
  const comparisons = [
    ...asking.map((endpoint) => new Comparison(endpoint, inMemory, bystanders)),
    new Comparison({ ...paying, name: `${paying.name}, on PostgreSQL` }, onDatabase, bystanders, database.pid())
  ]
  await runRounds(comparisons, run)
  for (const comparison of comparisons) yield* comparison.figures()
  yield memoryFigure("in memory", inMemory, bystanders)
  yield memoryFigure("on PostgreSQL", onDatabase, bystanders)
}

/** All of them take their turn in each round, so that whatever else the machine does falls on all alike. */
const runRounds = async (comparisons: ReadonlyArray<Comparison>, run: Run): Promise<void> => {
  const { progress, rounds, warm_up_rounds } = run
  for (let round = -warm_up_rounds; round < rounds; round++) {
    progress(round < 0 ? "warming up" : `round ${round + 1} of ${rounds}`)
    for (const comparison of comparisons) await comparison.run(round, run, round >= 0)
  }
}

const memoryFigure = (where: string, { pid }: ServiceProcess, { raw }: Bystanders): Figure =>
  compared("less", {
    bench: "http",
    figure: `peak memory, ${where}`,
    value: peakMemory_bytes(pid),
    unit: "bytes",
    peer: "raw node:http",
    peer_value: peakMemory_bytes(raw.pid)
  })
