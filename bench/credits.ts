/**
 * Concurrent debits of one account, through HTTP on a database that flushes to disk, compared with one statement per
 * request in the same service, and with pgbench on batches of the same size. bench/README.md explains each figure.
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import type { PostgresServer } from "@postcode/drills/postgres"
import { type Bench, compared, type Figure } from "./Bench.ts"
import { type Account, openAccounts } from "./credits/accounts.ts"
import { type LoadResult, runLoad } from "./credits/load.ts"
import { debitsPerSecond, findPgbench, versionOf } from "./credits/pgbench.ts"
import { type ServiceOrder, servedDirectory } from "./credits/ServiceOrder.ts"
import { median } from "./measure.ts"
import { startDatabase } from "./setUp/startDatabase.ts"
import { inTemporaryFolder } from "./setUp/TemporaryFolder.ts"

export interface CreditsBenchSettings {
  /** Node's flags for the services' processes. */
  readonly nodeFlags: ReadonlyArray<string>
  readonly connections: number
  readonly rounds: number
  readonly round_s: number
  /** The path of pgbench; undefined if it is not installed. */
  readonly pgbench: string | undefined
}

export const creditsBench = (settings: Partial<CreditsBenchSettings> = {}): Bench =>
  async function* ({ progress }) {
    const defaults = { nodeFlags: process.execArgv, connections: 64, rounds: 7, round_s: 5, pgbench: findPgbench() }
    const given: CreditsBenchSettings = { ...defaults, ...settings }
    yield* inTemporaryFolder((folder, signal) => withServer(given, folder, signal, progress))
  }

async function* withServer(
  settings: CreditsBenchSettings,
  folder: string,
  signal: AbortSignal,
  progress: (message: string) => void
): AsyncGenerator<Figure> {
  const server = await startDatabase(folder)
  signal.addEventListener("abort", () => void server.stop())
  try {
    yield* measure(settings, server, folder, progress)
  } finally {
    await server.stop()
  }
}

async function* measure(
  { connections, nodeFlags, pgbench, round_s, rounds }: CreditsBenchSettings,
  server: PostgresServer,
  folder: string,
  progress: (message: string) => void
): AsyncGenerator<Figure> {
  const url = server.url("postgres")
  const [first, second, third] = (await openAccounts(url, 3)) as [Account, Account, Account]
  const books = await openBooks(server)
  const ours = startService({ databaseUrl: url, ledger: "ours" }, nodeFlags)
  const plain = startService({ databaseUrl: url, ledger: "plain" }, nodeFlags)
  const load = { path: `/v1/lookup?level=2&code=${activeCode()}`, connections, duration_ms: round_s * 1_000 }
  const runs = new Rounds()
  try {
    const ports = await Promise.all([ours.port, plain.port])
    if (pgbench === undefined) progress("pgbench: missing. On Debian: apt install postgresql")
    for (let round = 0; round <= rounds; round++) {
      progress(round === 0 ? "warming up" : `round ${round} of ${rounds}`)
      const grouped = await charge(ports[0], first, books, load)
      const single = await charge(ports[1], second, books, load)
      const batch = Math.max(1, Math.round(grouped.debits_a_batch))
      const alone =
        pgbench === undefined
          ? null
          : await debitsPerSecond({
              program: pgbench,
              url,
              folder,
              account: third,
              batch,
              duration_s: Math.ceil(round_s)
            })
      const refused = grouped.refused + single.refused
      if (refused > 0) progress(`${refused} requests were answered 503: is the machine busy with something else?`)
      if (round > 0) runs.add(grouped, single, alone)
    }
  } finally {
    await Promise.all([ours.end(), plain.end(), books.end()])
  }
  yield* runs.figures(connections, pgbench === undefined ? "pgbench" : await versionOf(pgbench))
}

interface ChargedRound extends LoadResult {
  readonly debits_a_batch: number
}

/** The measurements of all rounds. */
class Rounds {
  private readonly ours: Array<ChargedRound> = []
  private readonly plain: Array<ChargedRound> = []
  private readonly pgbench: Array<number> = []

  add(ours: ChargedRound, plain: ChargedRound, pgbench: number | null): void {
    this.ours.push(ours)
    this.plain.push(plain)
    if (pgbench !== null) this.pgbench.push(pgbench)
  }

  *figures(connections: number, pgbench: string): Generator<Figure> {
    const of = (rounds: ReadonlyArray<ChargedRound>, name: keyof ChargedRound) =>
      median(rounds.map((round) => round[name]))
    const common = { bench: "credits", peer: "a statement a request" }
    const rate = of(this.ours, "answers_s")
    yield compared("more", {
      ...common,
      figure: `debits of one account, ${connections} connections`,
      value: rate,
      unit: "requests/s",
      peer_value: of(this.plain, "answers_s")
    })
    yield compared("less", {
      ...common,
      figure: "of these, 99 % are answered within",
      value: of(this.ours, "p99_ms"),
      unit: "ms",
      peer_value: of(this.plain, "p99_ms")
    })
    const batch = of(this.ours, "debits_a_batch")
    yield compared("more", {
      ...common,
      figure: "debits in one commit",
      value: batch,
      unit: "debits",
      peer_value: of(this.plain, "debits_a_batch")
    })
    yield compared("more", {
      ...common,
      figure: "debits of one account, beside the database alone",
      value: rate,
      unit: "debits/s",
      peer: `${pgbench}, as many in one commit`,
      peer_value: this.pgbench.length === 0 ? null : median(this.pgbench)
    })
  }
}

interface Service {
  /** Resolves when it responds. */
  readonly port: Promise<number>
  readonly end: () => Promise<unknown>
}

const startService = (order: ServiceOrder, nodeFlags: ReadonlyArray<string>): Service => {
  const child = fork(new URL("./credits/service.ts", import.meta.url), [], {
    execArgv: [...nodeFlags],
    // Standard output is for figures.
    stdio: ["ignore", 2, 2, "ipc"]
  })
  const ended = once(child, "exit")
  const failed = ended.then((): never => {
    throw new Error(`the service that charges by "${order.ledger}" ended`)
  })
  const port = Promise.race([once(child, "message").then(([port]) => port as number), failed])
  child.send(order)
  return {
    port,
    end: () => {
      if (child.connected) child.disconnect()
      return ended
    }
  }
}

/** One round of requests, after which the ledger must have an entry per successful response. */
const charge = async (
  port: number,
  account: Account,
  books: Books,
  load: { readonly path: string; readonly connections: number; readonly duration_ms: number }
): Promise<ChargedRound> => {
  const before = await books.entriesOf(account, 0)
  const result = await runLoad({ ...load, port, key: account.key })
  const { batches, count } = await books.entriesOf(account, before.last)
  // A charge with an unconfirmed commit is answered 503, but may have been made.
  if (count < result.answers || count > result.answers + result.refused) {
    throw new Error(`${result.answers} requests were answered, ${result.refused} refused, and ${count} charged`)
  }
  return { ...result, debits_a_batch: count / batches }
}

/** The content of the ledger. */
interface Books {
  /** The entries of an account after a sequence number, and the number of batches. */
  readonly entriesOf: (
    account: Account,
    behind: number
  ) => Promise<{ readonly last: number; readonly count: number; readonly batches: number }>
  readonly end: () => Promise<void>
}

const openBooks = async (server: PostgresServer): Promise<Books> => {
  const client = await server.connect()
  // Reports a server that stops during an interrupted run.
  client.on("error", () => {})
  return {
    entriesOf: async ({ organization_id }, behind) => {
      const { rows } = await client.query<{ last: number; count: number; batches: number }>(
        `SELECT coalesce(max(number), 0)::float8 AS last, count(*)::float8 AS count,
          count(DISTINCT created_at)::float8 AS batches
        FROM postcode.ledger_entries WHERE organization_id = $1 AND environment = 'test' AND number > $2`,
        [organization_id, behind]
      )
      return rows[0] ?? { last: 0, count: 0, batches: 0 }
    },
    end: () => client.end()
  }
}

const activeCode = (): string => {
  const { directory } = servedDirectory()
  const codes = Array.from({ length: directory.size }, (_, id) => directory.postcodeAt(id))
  return codes.find((code) => directory.status(code) === "active") ?? ""
}
