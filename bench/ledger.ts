/**
 * A ledger of many entries: the write-ahead log of a debit, and the time to find a reference, to archive a month and to
 * verify all balances. bench/README.md explains each figure.
 */
import { stat } from "node:fs/promises"
import { join } from "node:path"
import { connectToAddress, type PostgresServer } from "@postcode/drills/postgres"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import { archiveLedger, layerDatabase, PostgresStore, verifyLedger } from "@postcode/postgres"
import { Effect, Layer, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import type { Client } from "pg"
import { type Bench, compared, type Figure } from "./Bench.ts"
import { type Account, openAccounts } from "./credits/accounts.ts"
import { layerSecrets } from "./credits/secrets.ts"
import { addMonth, grow, monthsAgo, openIn } from "./ledger/growLedger.ts"
import { median } from "./measure.ts"
import { startDatabase } from "./setUp/startDatabase.ts"
import { inTemporaryFolder } from "./setUp/TemporaryFolder.ts"

export interface LedgerBenchSettings {
  readonly accounts: number
  /** Debits of a measurement. */
  readonly debits: number
  /** The small ledger. */
  readonly few: number
}

export const ledgerBench = (settings: Partial<LedgerBenchSettings> = {}): Bench =>
  async function* ({ progress, units: many = 1_000_000 }) {
    const given: LedgerBenchSettings = { accounts: 100, debits: 20_000, few: 1_000, ...settings }
    yield* inTemporaryFolder((folder, signal) => withServer(given, many, folder, signal, progress))
  }

async function* withServer(
  settings: LedgerBenchSettings,
  many: number,
  folder: string,
  signal: AbortSignal,
  progress: (message: string) => void
): AsyncGenerator<Figure> {
  // One checkpoint at a time of our choice, so that no other one adds pages to the log.
  const server = await startDatabase(folder, { max_wal_size: "20GB", checkpoint_timeout: "1h" })
  signal.addEventListener("abort", () => void server.stop())
  try {
    yield* measure(settings, many, server, folder, progress)
  } finally {
    await server.stop()
  }
}

async function* measure(
  settings: LedgerBenchSettings,
  many: number,
  server: PostgresServer,
  folder: string,
  progress: (message: string) => void
): AsyncGenerator<Figure> {
  const client = await server.connect()
  client.on("error", () => {})
  try {
    yield* compareDebits(settings, many, client, server.url("postgres"), progress)
  } finally {
    await client.end()
  }
  yield* measureArchive(server, settings.accounts, many, folder, progress)
}

const fact = (name: string, unit: string, value: number): Figure =>
  compared("less", { bench: "ledger", figure: name, value, unit, peer: null, peer_value: null })

/** Debits on a ledger with few entries, with many, and with a B-tree of references. */
async function* compareDebits(
  { accounts: count, debits, few }: LedgerBenchSettings,
  many: number,
  client: Client,
  url: string,
  progress: (message: string) => void
): AsyncGenerator<Figure> {
  const accounts = await openAccounts(url, count)
  await addMonths(client)
  const entries = (number: number) => `${number.toLocaleString("en")} entries`
  const log = (number: number) => `write-ahead log of a debit, ${entries(number)}`
  const p99 = (number: number) => `p99 of a debit, ${entries(number)}`
  const measured = (name: string, number = debits) => {
    progress(name)
    return measureDebits(client, url, accounts, number)
  }
  await grow(client, accounts, few, 0)
  await measured("warming up", Math.ceil(debits / 10))
  const small = await measured(`${debits} debits on ${entries(few)}`)
  yield fact(log(few), "bytes", small.bytes)
  yield fact(p99(few), "ms", small.p99_ms)

  progress(`growing to ${entries(many)}`)
  await grow(client, accounts, many, 0)
  const large = await measured(`${debits} debits on ${entries(many)}`)
  const peer = entries(few)
  const bytes = { bench: "ledger", figure: log(many), value: large.bytes, unit: "bytes" }
  yield compared("less", { ...bytes, peer, peer_value: small.bytes })
  const time = { bench: "ledger", figure: p99(many), value: large.p99_ms, unit: "ms" }
  yield compared("less", { ...time, peer, peer_value: small.p99_ms })

  const found = await findReference(client, url, accounts[0] as Account)
  yield fact(`finding the entry of a request, ${entries(many)}`, "ms", found)

  progress("with a B-tree of references")
  await client.query("CREATE INDEX ON postcode.ledger_entries (hashtextextended(reference, 0))")
  const random = await measured(`${debits} debits`)
  yield compared("less", { ...bytes, peer: "with a B-tree of references", peer_value: random.bytes })
}

/** The months of the entries, with the openings in the first one. */
const addMonths = async (client: Client): Promise<void> => {
  await addMonth(client, 2)
  // The openings are in the default partition, and a month cannot be added while it has entries there.
  await openIn(client, 2)
  for (const months of [1, 0]) await addMonth(client, months)
}

/** Archives and verifies a month in a second database. */
async function* measureArchive(
  server: PostgresServer,
  count: number,
  many: number,
  folder: string,
  progress: (message: string) => void
): AsyncGenerator<Figure> {
  const admin = await server.connect()
  await admin.query("CREATE DATABASE archived")
  await admin.end()
  const url = server.url("archived")
  const client = await connectToAddress(url)
  client.on("error", () => {})
  try {
    const accounts = await openAccounts(url, count)
    await addMonths(client)
    progress(`growing a month of ${many} entries`)
    await grow(client, accounts, many, 2)
    const to = join(folder, "archive")
    const rate = async (name: string, work: () => Promise<unknown>): Promise<Figure> => {
      progress(name)
      const start = performance.now()
      await work()
      const value = many / ((performance.now() - start) / 1_000)
      return compared("more", { bench: "ledger", figure: name, value, unit: "entries/s", peer: null, peer_value: null })
    }
    yield await rate("verifying a month in the database", () => verify(url, undefined))
    const options = { before: monthsAgo(1), folder: to, drop: false }
    yield await rate("closing, archiving and detaching a month", () => onDatabase(url, archiveLedger(options)))
    yield await rate("verifying a month in the archive", () => verify(url, to))
    yield await rate("verifying once more and dropping", () =>
      onDatabase(url, archiveLedger({ ...options, drop: true }))
    )
    const { size } = await stat(join(to, `ledger-${monthsAgo(2)}.jsonl.gz`))
    yield fact("an archived entry", "bytes", size / many)
  } finally {
    await client.end()
  }
}

const onDatabase = <A, E>(url: string, work: Effect.Effect<A, E, SqlClient.SqlClient>): Promise<A> =>
  Effect.runPromise(Effect.provide(work, layerDatabase({ url: Redacted.make(url), maxConnections: 2 })))

const verify = async (url: string, archive: string | undefined): Promise<void> => {
  const { problems } = await onDatabase(url, verifyLedger({ archive }))
  if (problems.length > 0) throw new Error(`the ledger is wrong: ${problems.join("; ")}`)
}

const onStore = <A, E>(url: string, work: Effect.Effect<A, E, CreditLedger>): Promise<A> => {
  const store = PostgresStore.layer({ url: Redacted.make(url) })
  return Effect.runPromise(Effect.provide(work, Layer.provide(store, layerSecrets)))
}

/** Debits of accounts in turn by 64 clients, after a checkpoint: bytes of the log for each, and the time of the slowest of 100. */
const measureDebits = async (client: Client, url: string, accounts: ReadonlyArray<Account>, debits: number) => {
  const positionOf = async (): Promise<bigint> => {
    const { rows } = await client.query("SELECT pg_current_wal_insert_lsn() - '0/0' AS position")
    return BigInt(rows[0].position)
  }
  await client.query("CHECKPOINT")
  const before = await positionOf()
  const times_ms: Array<number> = []
  await onStore(
    url,
    Effect.flatMap(CreditLedger, (ledger) =>
      Effect.forEach(
        Array.from({ length: debits }, (_, i) => accounts[i % accounts.length] as Account),
        ({ key_id, organization_id }) =>
          Effect.suspend(() => {
            const start = performance.now()
            const charge = {
              organization_id,
              environment: "test",
              key_id,
              amount: 1,
              reason: "lookup",
              request_id: crypto.randomUUID()
            } as const
            return Effect.map(ledger.charge(charge), () => times_ms.push(performance.now() - start))
          }),
        { concurrency: 64, discard: true }
      )
    )
  )
  times_ms.sort((one, other) => one - other)
  const p99_ms = times_ms[Math.floor(times_ms.length * 0.99)] as number
  return { bytes: Number((await positionOf()) - before) / debits, p99_ms }
}

/** The median time of ten requests, each of another reference. */
const findReference = async (client: Client, url: string, { organization_id }: Account): Promise<number> => {
  const { rows } = await client.query<{ readonly reference: string }>(
    "SELECT reference FROM postcode.ledger_entries WHERE organization_id = $1 AND amount < 0 ORDER BY id LIMIT 10",
    [organization_id]
  )
  const page = { limit: 20, cursor: undefined }
  const times_ms: Array<number> = []
  await onStore(
    url,
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      for (const { reference } of rows) {
        const start = performance.now()
        const { entries } = yield* ledger.statement({ organization_id, environment: "test" }, page, { reference })
        if (entries.items.length !== 1) throw new Error(`${entries.items.length} entries of a request`)
        times_ms.push(performance.now() - start)
      }
    })
  )
  return median(times_ms)
}
