/**
 * Replaces two replicas on one database in turn while clients send requests through a balancer: every request is
 * answered, and every lookup charged once.
 */
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { demoDirectory } from "@postcode/demo"
import { freePort } from "@postcode/drills/postgres"
import pg from "pg"
import { type Bench, compared, type Figure } from "./Bench.ts"
import { openCustomers } from "./http/customers.ts"
import { type ServiceProcess, startService } from "./http/ServiceProcess.ts"
import { endpoints } from "./http/Traffic.ts"
import { median } from "./measure.ts"
import type { ProcessOptions } from "./process/FreshProcess.ts"
import { runCommand } from "./process/runCommand.ts"
import { type Balancer, startBalancer } from "./restarts/Balancer.ts"
import { type Outcome, startClients } from "./restarts/clients.ts"
import { findNginx, startNginx } from "./restarts/nginx.ts"
import { startDatabase } from "./setUp/startDatabase.ts"
import { inTemporaryFolder } from "./setUp/TemporaryFolder.ts"

export interface RestartsBenchSettings {
  /** Node's flags for the services' processes. */
  readonly nodeFlags: ReadonlyArray<string>
  readonly restarts: number
  readonly clients: number
  /** The pause between a response and the client's next request. */
  readonly pause_ms: number
  /** The pause before each restart, in which a balancer detects that a replica is ready. */
  readonly settle_s: number
  /** With nginx if it is installed; otherwise with a small built-in balancer. */
  readonly nginx: boolean
}

export const restartsBench = (settings: Partial<RestartsBenchSettings> = {}): Bench =>
  async function* ({ progress, units = 10_000 }) {
    const given: RestartsBenchSettings = { ...defaults, ...settings }
    yield* inTemporaryFolder((folder, signal) => measure({ ...given, folder, progress, signal, units }))
  }

const defaults: RestartsBenchSettings = {
  nodeFlags: process.execArgv,
  restarts: 10,
  clients: 32,
  pause_ms: 20,
  settle_s: 2,
  nginx: true
}

interface Run extends RestartsBenchSettings, ProcessOptions {
  readonly folder: string
  readonly units: number
}

async function* measure(run: Run): AsyncGenerator<Figure> {
  await using running = new AsyncDisposableStack()
  const { clients, folder, pause_ms, progress, restarts, settle_s, units } = run
  progress("making a directory and a database")
  const files = join(folder, "directory")
  await runCommand(["demo", files, `--units=${units}`], run)
  const database = running.adopt(await startDatabase(folder), ({ stop }) => stop())
  const databaseUrl = database.url("postgres")
  await runCommand(["import", files, `--database-url=${databaseUrl}`], run)
  const ports = [await freePort(), await freePort()] as const
  const start = (port: number) =>
    startService([`--database-url=${databaseUrl}`, "--trusted-proxies=127.0.0.1"], run, port)
  const replicas = [await start(ports[0]), await start(ports[1])]
  running.defer(async () => {
    for (const { stop } of replicas) await stop()
  })
  const customers = await openCustomers((replicas[0] as ServiceProcess).operator, 20)
  const known = endpoints(demoDirectory({ units }).directory, customers)
  const asked = known.filter(({ name }) => askedFor.includes(name))
  const balancer = running.adopt(await startInFront(run, ports), ({ stop }) => stop())
  let drawn = 0
  const asking = startClients(balancer.port, clients, pause_ms, () => (asked[drawn++ % asked.length] as Drawn).draw())
  let badExits = 0
  for (let restart = 0; restart < restarts; restart++) {
    await setTimeout(settle_s * 1000)
    progress(`restart ${restart + 1} of ${restarts}`)
    const index = restart % replicas.length
    const replaced = replicas[index] as ServiceProcess
    await balancer.takeOut(index)
    await replaced.stop()
    if ((await replaced.exitCode) !== 0) badExits++
    replicas[index] = await start(ports[index] as number)
    await balancer.putBack(index)
  }
  await setTimeout(settle_s * 1000)
  const outcome = await asking.stop()
  for (const [failure, count] of outcome.failures) progress(`${count} times: ${failure}`)
  yield* figures(outcome, badExits, await paidRequests(databaseUrl))
}

type Drawn = ReturnType<typeof endpoints>[number]

const askedFor = ["lookup, level 1", "lookup, level 2", "autocomplete", "reverse"]

const startInFront = async (
  { folder, nginx, progress }: Run,
  replicas: readonly [number, number]
): Promise<Balancer> => {
  const program = nginx ? findNginx() : undefined
  if (nginx && program === undefined) progress("nginx: missing, so a small balancer is in its place")
  const port = await freePort()
  return program === undefined
    ? startBalancer(port, replicas)
    : startNginx(program, join(folder, "nginx"), port, replicas)
}

/** The ids of the charged requests, once per charge. */
const paidRequests = async (databaseUrl: string): Promise<ReadonlyArray<string>> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ reference: string }>(
      "SELECT reference FROM postcode.ledger_entries WHERE reason = 'lookup'"
    )
    return rows.map(({ reference }) => reference)
  } finally {
    await client.end()
  }
}

function* figures(outcome: Outcome, badExits: number, charged: ReadonlyArray<string>): Generator<Figure> {
  const { answered, failures, paid, times_ms } = outcome
  const figure = (name: string, value: number, unit: string): Figure =>
    compared("less", { bench: "restarts", figure: name, value, unit, peer: null, peer_value: null })
  const unpaid = [...paid].filter((id) => !charged.includes(id)).length
  yield figure("requests", answered, "requests")
  yield figure(
    "requests that failed",
    [...failures.values()].reduce((sum, count) => sum + count, 0),
    "requests"
  )
  yield figure("lookups answered and paid", paid.size, "requests")
  yield figure("charged twice", charged.length - new Set(charged).size, "requests")
  yield figure("charged without an answer", charged.filter((id) => !paid.has(id)).length, "requests")
  yield figure("answered without a charge", unpaid, "requests")
  yield figure("exit codes other than 0", badExits, "exits")
  yield figure("half are answered within", median(times_ms), "ms")
  yield figure("the slowest is answered within", Math.max(...times_ms), "ms")
}
