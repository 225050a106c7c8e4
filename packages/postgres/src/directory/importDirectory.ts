/**
 * `postcode import`: takes the two CSV files of a directory into the database, as an edition that comes into force in one
 * step, in the transaction that brought all of it. Whatever ends that early, the edition before stays in force and
 * nothing else is left.
 *
 * The rows go to the server while they are checked. While the server then indexes them, this process builds the
 * directory and compares it with the one in force.
 */
import { createHash } from "node:crypto"
import { Directory } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import { compareDirectories, type DirectoryDifference } from "@postcode/core/DirectoryComparison"
import { type BadRow, DirectoryReader } from "@postcode/core/DirectoryCsv"
import { Effect, Redacted } from "effect"
import { isSqlError } from "effect/sql/SqlError"
import type { Client } from "pg"
import { layerDatabase } from "../connection/Database.ts"
import { prepareDatabase } from "../connection/prepareDatabase.ts"
import type { CopyIn } from "./CopyIn.ts"
import { openCurrentDirectory } from "./CurrentDirectory.ts"
import { abandon, connectForImport, lockImports } from "./ImportConnection.ts"
import { explainFailure, ImportFailure, ImportInDoubt } from "./ImportFailure.ts"
import {
  beginUnits,
  dropOldEditions,
  hasTables,
  indexUnits,
  nextEdition,
  noteImport,
  type StoredEdition,
  storedEdition,
  storeEdition,
  switchTo
} from "./StoredEditions.ts"

/** The files, unpacked. Each can be read from its start more than once; a chunk may be overwritten by the next. */
export interface DirectoryInput {
  readonly places: () => AsyncIterable<Uint8Array>
  readonly units: () => AsyncIterable<Uint8Array>
}

/** Where an import goes, how strict it is, and who is told of what. */
export interface ImportOptions {
  /** `postgresql://user:password@host:port/database` */
  readonly url: string
  /** Which edition of the data this is; a hash of the files unless told. */
  readonly version?: string | undefined
  /** The day of that edition, such as `2026-01-31`; `dayOfFiles` unless told. */
  readonly date?: string | undefined
  readonly dayOfFiles: string
  /** Leave bad rows out instead of refusing everything. */
  readonly skipBadRows?: boolean
  /** Check and compare, and write nothing. */
  readonly dryRun?: boolean
  /** Import also what is in force already. */
  readonly force?: boolean
  readonly signal?: AbortSignal
  readonly onBadRow?: (badRow: BadRow) => void
  readonly watch?: ImportWatch
}

/** How far an import is. */
export interface ImportWatch {
  /** Unit rows read so far, after each chunk. */
  readonly onUnits?: (rows: number) => void
  /** All rows were read and are well formed; building and indexing begin, and end. */
  readonly onIndexing?: (rows: number) => void
  readonly onIndexed?: (directory: Directory) => void
  /** What the edition would change, before it is in force; undefined if there is none to compare with. */
  readonly onDifference?: (difference: DirectoryDifference) => void
  readonly onPublishing?: (done_bytes: number, total_bytes: number) => void
  /** The database is waited for, and why. */
  readonly onWait?: (reason: string) => void
  /** The edition is in force, but older ones could not be dropped, and why. The next import will. */
  readonly onLeftOver?: (reason: string) => void
}

/** What was imported, or would be. */
export interface ImportedDirectory {
  readonly version: string
  readonly date: string
  readonly units: number
  readonly activeUnits: number
  readonly badRows: number
  readonly difference: DirectoryDifference
  /** SHA-256 of both files, unpacked. */
  readonly checksum: string
}

/** How an import ended. */
export type ImportResult =
  | ({ readonly outcome: "imported"; readonly edition: number } & ImportedDirectory)
  /** All is well, and nothing was written. */
  | ({ readonly outcome: "checked" } & ImportedDirectory)
  /** These files are in force already. */
  | { readonly outcome: "unchanged"; readonly edition: number; readonly version: string; readonly date: string }
  | { readonly outcome: "refused"; readonly badRows: number }

/**
 * Rejects with `ImportFailure`, which says what would help, with the reason of the signal, or as the input does. Also
 * where the signal was given, it rejects with `ImportInDoubt` if the edition may have come into force all the same.
 */
export const importDirectory = async (input: DirectoryInput, options: ImportOptions): Promise<ImportResult> => {
  const { dryRun = false, signal, url } = options
  let client: Client | undefined
  const stop = () => client && abandon(client)
  signal?.addEventListener("abort", stop)
  try {
    client = await connectForImport(url)
    signal?.throwIfAborted()
    return await (dryRun ? new Import(input, options, client).check() : runLocked(input, options, client))
  } catch (error) {
    if (!(error instanceof ImportInDoubt)) signal?.throwIfAborted()
    throw explainFailure(error, url)
  } finally {
    signal?.removeEventListener("abort", stop)
    if (client !== undefined) abandon(client)
  }
}

const runLocked = async (input: DirectoryInput, options: ImportOptions, client: Client): Promise<ImportResult> => {
  await prepareFor(options)
  await lockImports(client)
  await dropOldEditions(client)
  const result = await new Import(input, options, client).run()
  if (result.outcome !== "imported") return result
  // The edition is in force, whatever becomes of this.
  await dropOldEditions(client).catch((error: unknown) =>
    options.watch?.onLeftOver?.(error instanceof Error ? error.message : String(error))
  )
  return result
}

interface Sent {
  /** Of what was read. */
  readonly checksum: string
  /** How many rows the server took. */
  readonly rows: number
}

interface Built {
  readonly directory: Directory
  readonly badRows: number
  /** A bit for each row that was sent, 1 for those that count; undefined if all do. */
  readonly kept: Uint8Array | undefined
}

class Import {
  private readonly input: DirectoryInput
  private readonly options: ImportOptions
  private readonly watch: ImportWatch
  private readonly client: Client
  /** Whether there can be no edition any more. */
  private isRefused = false
  private badRows = 0

  constructor(input: DirectoryInput, options: ImportOptions, client: Client) {
    this.input = input
    this.options = options
    this.watch = options.watch ?? {}
    this.client = client
  }

  /** Everything but writing. */
  async check(): Promise<ImportResult> {
    const before = (await hasTables(this.client)) ? await storedEdition(this.client) : undefined
    const reader = this.makeReader(() => false)
    const checksum = await this.read(reader, undefined)
    if (this.isInForce(before, checksum)) return unchanged(before)
    const built = this.build(reader, checksum)
    if (built === undefined) return this.refused()
    return { outcome: "checked", ...(await this.describe(built, before, checksum)) }
  }

  /** All of it in one transaction. Where it does not come to its end, the connection ends without a commit. */
  async run(): Promise<ImportResult> {
    const { client } = this
    const before = await storedEdition(client)
    const edition = await nextEdition(client)
    const reader = this.makeReader(() => !this.isRefused)
    const { checksum, rows } = await this.send(reader, edition)
    if (this.isInForce(before, checksum)) return unchanged(before)
    // The server goes on by itself while this process builds the directory, and is heard of afterwards.
    const indexed = this.isRefused ? Promise.resolve() : indexUnits(client, edition)
    indexed.catch(() => {})
    const built = this.build(reader, checksum)
    if (built === undefined) return this.refused()
    const { directory, kept } = built
    const imported = await this.describe(built, before, checksum)
    await indexed.catch((error: unknown) => {
      // The server knows that a row repeats a postcode, and nothing else of it.
      if (kept === undefined) throw error
    })
    const stored = kept === undefined ? rows : await this.sendAgain(edition, kept, checksum)
    if (stored !== directory.size) throw new Error(`the server took ${stored} rows; expected ${directory.size}`)
    await storeEdition(client, edition, directory, checksum, this.watch.onPublishing ?? (() => {}))
    this.options.signal?.throwIfAborted()
    await noteImport(client, edition, detailsOf(imported))
    await switchTo(client, edition)
    await client.query("COMMIT").catch((cause: unknown) => {
      const doubt = `edition ${edition} may be in force or not: no answer came as it was to be; run the import again`
      throw new ImportInDoubt(doubt, { cause })
    })
    return { outcome: "imported", edition, ...imported }
  }

  private makeReader(keepsRow: (row: number) => boolean): DirectoryReader {
    const { onBadRow, skipBadRows = false } = this.options
    return new DirectoryReader({
      skipBadRows,
      keepsRow,
      onBadRow: (badRow) => {
        this.isRefused ||= !skipBadRows
        this.badRows++
        onBadRow?.(badRow)
      }
    })
  }

  /** Sends what a reader hands on, in a transaction that stays open. */
  private async send(reader: DirectoryReader, edition: number): Promise<Sent> {
    await this.client.query("BEGIN")
    const copy = await beginUnits(this.client, edition)
    const checksum = await this.read(reader, copy)
    const rows = this.isRefused ? 0 : await copy.end()
    return { checksum, rows }
  }

  /** That a row repeats a postcode shows when the server has it already: then all are read and sent anew. */
  private async sendAgain(edition: number, kept: Uint8Array, checksum: string): Promise<number> {
    await this.client.query("ROLLBACK")
    const reader = new DirectoryReader({
      skipBadRows: true,
      keepsRow: (row) => ((kept[row >>> 3] as number) >>> (row & 7)) % 2 === 1
    })
    const sent = await this.send(reader, edition)
    if (sent.checksum !== checksum) throw new ImportFailure("the files changed while they were read")
    await indexUnits(this.client, edition)
    return sent.rows
  }

  private async read(reader: DirectoryReader, copy: CopyIn | undefined): Promise<string> {
    const { signal } = this.options
    const hash = createHash("sha256")
    for await (const bytes of this.input.places()) {
      hash.update(bytes)
      reader.writePlaces(bytes)
    }
    for await (const bytes of this.input.units()) {
      signal?.throwIfAborted()
      hash.update(bytes)
      reader.writeUnits(bytes)
      await copy?.write(reader.takeUnitsCsv())
      this.watch.onUnits?.(reader.unitRows)
    }
    reader.end()
    await copy?.write(reader.takeUnitsCsv())
    return hash.digest("hex")
  }

  private build(reader: DirectoryReader, checksum: string): Built | undefined {
    const { date = this.options.dayOfFiles, version } = this.options
    const rows = reader.unitRows
    if (!this.isRefused) this.watch.onIndexing?.(rows)
    const read = reader.finish()
    if (!read.ok) return undefined
    const edition = { version: version ?? `sha256-${checksum.slice(0, 12)}`, date }
    const directory = new Directory({ ...read.directory.contents, ...edition })
    this.watch.onIndexed?.(directory)
    return { directory, badRows: read.badRows, kept: directory.size < rows ? bitsOf(read.rowOfUnit, rows) : undefined }
  }

  private async describe(
    { badRows, directory }: Built,
    before: StoredEdition | undefined,
    checksum: string
  ): Promise<ImportedDirectory> {
    const old = before === undefined ? nothing() : await readCurrent(this.options.url)
    const difference = compareDirectories(old, directory)
    this.watch.onDifference?.(difference)
    const { activeSize: activeUnits, date, size: units, version } = directory
    return { version, date, units, activeUnits, badRows, difference, checksum }
  }

  private isInForce(before: StoredEdition | undefined, checksum: string): before is StoredEdition {
    const { date, force = false, version } = this.options
    if (force || before === undefined || before.checksum !== checksum) return false
    return (version === undefined || version === before.version) && (date === undefined || date === before.date)
  }

  private refused(): ImportResult {
    return { outcome: "refused", badRows: this.badRows }
  }
}

const unchanged = ({ date, edition, version }: StoredEdition): ImportResult => ({
  outcome: "unchanged",
  edition,
  version,
  date
})

/** What the audit log says of an import. */
const detailsOf = ({ activeUnits, badRows, date, difference, units, version }: ImportedDirectory) => {
  const { added, moved, reactivated, removed, retired } = difference
  const changes = { added, moved, retired, reactivated, removed }
  return { version, date, units, active_units: activeUnits, bad_rows: badRows, ...changes }
}

const bitsOf = (rows: Uint32Array, count: number): Uint8Array => {
  const bits = new Uint8Array((count + 7) >>> 3)
  for (const row of rows) bits[row >>> 3] = (bits[row >>> 3] as number) | (1 << (row & 7))
  return bits
}

const nothing = (): Directory => {
  const built = new DirectoryBuilder().build()
  if (!built.ok) throw new Error("nothing has no duplicates")
  return built.directory
}

const prepareFor = ({ signal, url, watch }: ImportOptions): Promise<void> =>
  prepareDatabase({ onWait: watch?.onWait }).pipe(
    Effect.mapError(({ cause, message }) => (isSqlError(cause) ? cause : new ImportFailure(message, { cause }))),
    Effect.provide(layerDatabase({ url: Redacted.make(url), maxConnections: 1 })),
    (prepared) => Effect.runPromise(prepared, { signal })
  )

const readCurrent = async (url: string): Promise<Directory> => {
  const database = layerDatabase({ url: Redacted.make(url), maxConnections: 1 })
  return (await Effect.runPromise(Effect.provide(openCurrentDirectory, database))).directory
}
