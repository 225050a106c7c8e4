/**
 * `postcode enrich` of a long file by a service on PostgreSQL, while both are killed with `kill -9`. Afterwards the output
 * is held against the directory's files, and the charges against the rows.
 */

import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { createReadStream, createWriteStream } from "node:fs"
import { mkdtemp, open, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { finished } from "node:stream/promises"
import { setTimeout } from "node:timers/promises"
import { csvRow } from "@postcode/core/Csv"
import { maxBatch } from "@postcode/gateway/InputLimits"
import { randomNumbers } from "../../test/RandomNumbers.ts"
import { csvRows } from "../kit/CsvRows.ts"
import { environmentOn, makeCustomer } from "../kit/Installation.ts"
import { atEndOfProcess, type PostgresServer, requirePostgres, startPostgres } from "../kit/postgres/index.ts"
import { Replica } from "../kit/Replica.ts"
import { runProcess, start } from "../kit/StartCommand.ts"
import type { EnrichKillsOptions, EnrichKillsReport } from "./EnrichKillsOptions.ts"

export const runEnrichKills = async (options: EnrichKillsOptions): Promise<EnrichKillsReport> => {
  // Apart, as the server may run as another user.
  const [folder, serverFolder] = await Promise.all([makeFolder(), makeFolder()])
  let server: PostgresServer | undefined
  let service: Replica | undefined
  try {
    options.progress("starting PostgreSQL, and importing a directory")
    server = await startPostgres({ folder: serverFolder, programs: requirePostgres() })
    const env = environmentOn(server.url("postgres"))
    const units = await importDirectory(join(folder, "nigeria"), options.rows, env)
    service = await Replica.start(env)
    const url = `http://127.0.0.1:${service.port}`
    // One credit more than the rows cost: a row that is charged twice leaves less.
    const { id, secret } = await makeCustomer({ url }, options.rows + 1)
    const file = join(folder, "rows.csv")
    await writeRows(file, units)
    const started_ms = performance.now()
    const storm = new Storm(options, service, file, { POSTCODE_URL: url, POSTCODE_KEY: secret })
    const charged = await storm.run()
    const seconds = Math.round((performance.now() - started_ms) / 100) / 10
    options.progress("comparing the output with the directory's files, and the ledger with the rows")
    const ledger = await readLedger(server, id)
    return {
      rows: options.rows,
      kills: storm.kills,
      serviceKills: storm.serviceKills,
      repeatedRequests: (ledger.sum - charged) / maxBatch,
      ledgerEntries: ledger.entries.length,
      creditsCharged: ledger.sum,
      seconds,
      wrong: {
        "a row that is not charged exactly once": wrongEntries(ledger.entries, options.rows),
        "a balance that is not the rest": ledger.balance === 1 ? [] : [`${ledger.balance} in place of 1`],
        "an output line that is missing, doubled or not in order": await wrongLines(storm.output, units),
        "an end of the command that was not to be expected": storm.ends
      }
    }
  } finally {
    await service?.kill()
    await server?.stop()
    await Promise.all([folder, serverFolder].map((path) => rm(path, { recursive: true, force: true })))
  }
}

const level = "2"
/** Less than the file, so that the command cannot hold it. */
const heap_mb = 64
const note = "n".repeat(1_000)

const makeFolder = (): Promise<string> => mkdtemp(join(tmpdir(), "postcode-enrich-"))

/** An active unit, and what level 2 shows of it. */
interface Unit {
  readonly postcode: string
  readonly shown: ReadonlyArray<string>
}

/** Imports a demonstration directory, and returns some of its active units, in the order of the file. */
const importDirectory = async (
  path: string,
  count: number,
  env: Readonly<Record<string, string>>
): Promise<ReadonlyArray<Unit>> => {
  const size = Math.max(2_000, Math.ceil(count * 1.2))
  for (const args of [
    ["demo", path, "--units", String(size), "--seed", "1"],
    ["import", path]
  ]) {
    const { code, stderr } = await runProcess(args, { env })
    if (code !== 0) throw new Error(`postcode ${args[0]} ended with ${code}: ${stderr}`)
  }
  const places = new Map(csvRows(await readFile(join(path, "places.csv"), "utf8")).map((row) => [row.code, row]))
  const active = csvRows(await readFile(join(path, "units.csv"), "utf8"))
    .filter(({ status }) => status === "active")
    .slice(0, count)
  if (active.length < count) throw new Error(`the directory has only ${active.length} active units`)
  return active.map(({ locality_name = "", postcode = "", recent_address = "" }) => {
    const [state, lga] = [places.get(postcode.slice(0, 2)), places.get(postcode.slice(0, 5))]
    const shown = [state?.name ?? "", lga?.name ?? "", locality_name, state?.zone ?? "", recent_address]
    return { postcode, shown }
  })
}

const header = "number,postcode,note"
const rowOf = (number: number, { postcode }: Unit): string => `${number},${postcode},${note}`

const writeRows = async (file: string, units: ReadonlyArray<Unit>): Promise<void> => {
  const stream = createWriteStream(file)
  stream.write(`${header}\n`)
  for (const [number, unit] of units.entries()) {
    if (!stream.write(`${rowOf(number, unit)}\n`)) await once(stream, "drain")
  }
  await finished(stream.end())
}

/** Runs the command to its end, through all kills. */
class Storm {
  kills = 0
  serviceKills = 0
  readonly ends: Array<string> = []
  readonly output: string
  private readonly options: EnrichKillsOptions
  private readonly service: Replica
  private readonly file: string
  private readonly env: Readonly<Record<string, string>>
  private readonly random: () => number

  constructor(options: EnrichKillsOptions, service: Replica, file: string, env: Readonly<Record<string, string>>) {
    this.options = options
    this.service = service
    this.file = file
    this.env = { ...env, NODE_OPTIONS: `--max-old-space-size=${heap_mb}` }
    this.output = file.replace(".csv", ".enriched.csv")
    this.random = randomNumbers(options.seed)
  }

  /** Returns the credits that the command reports as charged. */
  async run(): Promise<number> {
    let command = this.start()
    for (const { at, what } of this.faults()) {
      await this.untilConfirmed(at, command)
      // Somewhere between a request, its answer, and the two files.
      await setTimeout(this.random() * 30)
      if (what === "service") {
        await this.service.kill()
        this.serviceKills++
        this.options.progress(`the service was killed at ${await this.confirmed()} rows`)
        await this.service.run()
      } else if (await command.kill()) {
        this.kills++
        this.options.progress(`the command was killed at ${await this.confirmed()} rows`)
        command = this.start()
      }
    }
    const { code, stderr, stdout } = await command.ended
    if (code !== 0) {
      this.ends.push(`exit code ${code}: ${stderr}`)
      return 0
    }
    return (JSON.parse(stdout) as { readonly credits_charged: number }).credits_charged
  }

  /** The kills in the order of the rows at which they happen, spread over the file. */
  private faults(): ReadonlyArray<Fault> {
    const { kills, rows, serviceKills } = this.options
    const spread = (count: number, what: Fault["what"]) =>
      Array.from({ length: count }, (_, i): Fault => ({ at: (rows * (i + 0.9 * this.random())) / count, what }))
    return [...spread(kills, "command"), ...spread(serviceKills, "service")].toSorted((a, b) => a.at - b.at)
  }

  private start(): Command {
    return new Command(["enrich", this.file, "--level", level, "--json"], this.env)
  }

  private async untilConfirmed(rows: number, command: Command): Promise<void> {
    while (!command.hasEnded && (await this.confirmed()) < rows) await setTimeout(5)
  }

  /** Rows by the last complete line of the progress file. */
  private async confirmed(): Promise<number> {
    const file = await open(`${this.output}.progress`).catch(() => undefined)
    if (file === undefined) return 0
    try {
      const { size } = await file.stat()
      const tail = Buffer.alloc(Math.min(size, 2_000))
      await file.read(tail, 0, tail.length, size - tail.length)
      const line = tail.toString().split("\n").at(-2)
      return line?.startsWith("{") === true ? ((JSON.parse(line) as { readonly rows?: number }).rows ?? 0) : 0
    } finally {
      await file.close()
    }
  }
}

interface Fault {
  /** A number of confirmed rows. */
  readonly at: number
  readonly what: "command" | "service"
}

/** The command as a process. */
class Command {
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>
  hasEnded = false
  private readonly process: ChildProcess

  constructor(args: ReadonlyArray<string>, env: Readonly<Record<string, string>>) {
    const child = start(args, { env })
    this.process = child
    // A run that breaks off must not leave the command behind.
    child.once("close", atEndOfProcess('kill -9 "$1"', `${child.pid}`))
    let [stdout, stderr] = ["", ""]
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text
    })
    this.ended = new Promise((resolve) => {
      child.once("close", (code) => {
        this.hasEnded = true
        resolve({ code, stdout, stderr })
      })
    })
  }

  /** Kills it with SIGKILL. Returns whether it was still running. */
  async kill(): Promise<boolean> {
    const wasRunning = !this.hasEnded && this.process.exitCode === null
    this.process.kill("SIGKILL")
    await this.ended
    return wasRunning && this.process.signalCode === "SIGKILL"
  }
}

interface Ledger {
  readonly entries: ReadonlyArray<{ readonly reference: string; readonly amount: number }>
  readonly sum: number
  readonly balance: number
}

const readLedger = async (server: PostgresServer, organization_id: string): Promise<Ledger> => {
  const client = await server.connect()
  try {
    const entries = await client.query(
      `SELECT reference, amount::float8 AS amount FROM postcode.ledger_entries
        WHERE organization_id = $1 AND environment = 'live' AND reason = 'lookup_batch'`,
      [organization_id]
    )
    const accounts = await client.query(
      `SELECT balance::float8 AS balance FROM postcode.credit_accounts
        WHERE organization_id = $1 AND environment = 'live'`,
      [organization_id]
    )
    const sum = -entries.rows.reduce((total, { amount }) => total + amount, 0)
    return { entries: entries.rows, sum, balance: accounts.rows[0]?.balance }
  } finally {
    await client.end()
  }
}

/** The references name the rows of a charge, and each row costs one credit. */
const wrongEntries = (entries: Ledger["entries"], rows: number): ReadonlyArray<string> => {
  const wrong: Array<string> = []
  const times = new Uint8Array(rows + 1)
  for (const { amount, reference } of entries) {
    const [, first = 0, last = -1] = (/^enrich-[a-p]{16}-(\d+)-(\d+)$/.exec(reference) ?? []).map(Number)
    if (amount !== -(last - first + 1)) wrong.push(`${reference}: ${amount}`)
    for (let row = first; row <= last; row++) times[row] = (times[row] ?? 0) + 1
  }
  for (let row = 1; row <= rows; row++) if (times[row] !== 1) wrong.push(`row ${row} is charged ${times[row]} times`)
  return wrong.slice(0, 20)
}

const wrongLines = async (output: string, units: ReadonlyArray<Unit>): Promise<ReadonlyArray<string>> => {
  const wrong: Array<string> = []
  const added = "status,canonical_postcode,reason,replaced_by,state_name,lga_name,locality_name,zone,recent_address"
  let number = -1
  for await (const line of createInterface({ input: createReadStream(output), crlfDelay: Number.POSITIVE_INFINITY })) {
    const unit = units[number]
    const expected =
      number < 0
        ? `${header},${added}`
        : unit && `${rowOf(number, unit)},${csvRow(["valid", unit.postcode, "", "", ...unit.shown])}`
    if (line !== expected && wrong.length < 20) wrong.push(`line ${number + 2}: ${line.replace(note, "…")}`)
    number++
  }
  return number === units.length ? wrong : [...wrong, `${number} rows in place of ${units.length}`]
}
