/**
 * Importing a directory into PostgreSQL with the command, beside `psql \copy` of the same file into a bare table, and
 * beside readers of CSV; and `kill -9` at moments spread over an import, while a replica searches. The benchmark starts
 * its own server, whose commits reach the disk.
 */
import { join } from "node:path"
import { type Bench, compared, type Figure } from "./Bench.ts"
import { CsvPeers } from "./import/CsvPeers.ts"
import { killImports } from "./import/killImports.ts"
import { copyByPsql, findPsql } from "./import/psqlCopy.ts"
import { median } from "./measure.ts"
import { inFreshProcess, type ProcessOptions } from "./process/FreshProcess.ts"
import { type Ran, runCommand } from "./process/runCommand.ts"
import { startDatabase } from "./setUp/startDatabase.ts"
import { inTemporaryFolder } from "./setUp/TemporaryFolder.ts"

export interface ImportBenchSettings {
  /** Node's flags for the command. */
  readonly nodeFlags: ReadonlyArray<string>
  readonly units: number
  /** The number of alternating imports and copies. */
  readonly rounds: number
  readonly kills: number
  /** Whether to install the peers that are not dependencies. */
  readonly installsPeers: boolean
}

const defaults: ImportBenchSettings = {
  nodeFlags: process.execArgv,
  units: 10_000_000,
  rounds: 3,
  kills: 10,
  installsPeers: true
}

export const importBench = (settings: Partial<ImportBenchSettings> = {}): Bench =>
  async function* ({ progress, units }) {
    const given = { ...defaults, ...settings }
    yield* inTemporaryFolder((folder, signal) =>
      steps({ ...given, units: units ?? given.units }, folder, { nodeFlags: given.nodeFlags, progress, signal })
    )
  }

async function* steps(
  { installsPeers, kills, rounds, units }: ImportBenchSettings,
  folder: string,
  options: ProcessOptions
): AsyncGenerator<Figure> {
  const { progress } = options
  const csv = join(folder, "csv")
  progress("writing the files to import")
  await inFreshProcess("writeCsv", { units, folder: csv }, options)
  const read = { path: join(csv, "units.csv"), units, folder, installs: installsPeers }
  const peers = await CsvPeers.open(read, options)
  const server = await startDatabase(folder, serverSettings)
  try {
    const url = server.url("postgres")
    yield* imports({ csv, peers, rounds, units, url }, options)
    yield* killImports({ csv, kills, units, url }, options)
  } finally {
    await server.stop()
  }
}

/** Typical settings for a machine with some gigabytes. */
const serverSettings = { shared_buffers: "256MB", max_wal_size: "4GB" }

interface Task {
  readonly csv: string
  readonly peers: CsvPeers
  readonly rounds: number
  readonly units: number
  readonly url: string
}

async function* imports({ csv, peers, rounds, units, url }: Task, options: ProcessOptions): AsyncGenerator<Figure> {
  const psql = await findPsql()
  if (psql === undefined) options.progress("psql: missing. On Debian: apt install postgresql-client")
  const ran: Array<Ran> = []
  const copied_s: Array<number> = []
  for (let round = 1; round <= rounds; round++) {
    if (psql !== undefined) {
      options.progress(`psql \\copy, ${round} of ${rounds}`)
      copied_s.push(await copyByPsql(join(csv, "units.csv"), url, options.signal))
    }
    options.progress(`postcode import, ${round} of ${rounds}`)
    ran.push(await runCommand(["import", csv, "--database-url", url, "--force"], options))
    await peers.readRound(options)
  }
  const time_s = ran.map((one) => one.time_s)
  const imported = {
    bench: "import",
    figure: "importing a directory: check, index, compare, publish",
    value: units / median(time_s),
    unit: "rows/s"
  }
  yield compared("more", {
    ...imported,
    peer: psql === undefined ? "psql \\copy into a bare table" : `${psql} \\copy into a bare table`,
    peer_value: psql === undefined ? null : units / median(copied_s)
  })
  yield* peers.figures(imported)
  yield compared("less", {
    bench: "import",
    figure: "importing a directory, peak memory of the command",
    value: Math.max(...ran.map((one) => one.peak_bytes)),
    unit: "bytes",
    peer: null,
    peer_value: null
  })
}
