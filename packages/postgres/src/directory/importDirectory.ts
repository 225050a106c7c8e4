/**
 * `postcode import`: imports the two CSV files of a directory as a new edition. One transaction stores the edition and
 * makes it current. If it fails, the previous edition stays current and nothing else is stored.
 *
 * Rows are sent to the server while they are checked. While the server indexes them, this process builds the directory
 * and compares it with the current one.
 */
import { createHash } from "node:crypto"
import { Directory } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import { compareDirectories, type DirectoryDifference } from "@postcode/core/DirectoryComparison"
import { type BadRow, DirectoryReader, type DirectoryReaderOptions } from "@postcode/core/DirectoryCsv"
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

/** The uncompressed files. Each can be read more than once; a chunk may be overwritten by the next. */
export interface DirectoryInput {
  readonly places: () => AsyncIterable<Uint8Array>
  readonly units: () => AsyncIterable<Uint8Array>
}

/** The options of an import. */
export interface ImportOptions {
  /** `postgresql://user:password@host:port/database` */
  readonly url: string
  /** The version of the data; a hash of the files by default. */
  readonly version?: string | undefined
  /** The date of the data, such as `2026-01-31`; `dayOfFiles` by default. */
  readonly date?: string | undefined
  readonly dayOfFiles: string
  /** Skip bad rows instead of refusing the files. */
  readonly skipBadRows?: boolean
  /** Check and compare without storing anything. */
  readonly dryRun?: boolean
  /** Import even if the same files are current. */
  readonly force?: boolean
  readonly signal?: AbortSignal
  readonly onBadRow?: (badRow: BadRow) => void
  readonly watch?: ImportWatch
}

/** Progress of an import. */
export interface ImportWatch {
  /** Unit rows read so far, after each chunk. */
  readonly onUnits?: (rows: number) => void
  /** All rows were read and are valid; building and indexing begin. */
  readonly onIndexing?: (rows: number) => void
  readonly onIndexed?: (directory: Directory) => void
  /** The changes from the current edition, or from an empty directory, before the new edition is current. */
  readonly onDifference?: (difference: DirectoryDifference) => void
  readonly onPublishing?: (done_bytes: number, total_bytes: number) => void
  /** The import waits for the database, with the reason. */
  readonly onWait?: (reason: string) => void
  /** The edition is current, but older ones could not be dropped. The next import tries again. */
  readonly onLeftOver?: (reason: string) => void
}

/** The imported directory, or the checked one of a dry run. */
export interface ImportedDirectory {
  readonly version: string
  readonly date: string
  readonly units: number
  readonly activeUnits: number
  readonly badRows: number
  readonly difference: DirectoryDifference
  /** SHA-256 of both uncompressed files. */
  readonly checksum: string
}

/** The outcome of an import. */
export type ImportResult =
  | ({ readonly outcome: "imported"; readonly edition: number } & ImportedDirectory)
  /** The files are valid; nothing was stored. */
  | ({ readonly outcome: "checked" } & ImportedDirectory)
  /** These files are already current. */
  | { readonly outcome: "unchanged"; readonly edition: number; readonly version: string; readonly date: string }
  | { readonly outcome: "refused"; readonly badRows: number }

/**
 * Rejects with `ImportFailure`, the reason of the signal, or the error of the input. Even after the signal, it rejects
 * with `ImportInDoubt` if the edition may be current.
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
  // The edition is current, even if this fails.
  await dropOldEditions(client).catch((error: unknown) =>
    options.watch?.onLeftOver?.(error instanceof Error ? error.message : String(error))
  )
  return result
}

interface Sent {
  /** Of both files. */
  readonly checksum: string
  /** The number of rows that the server stored. */
  readonly rows: number
}

interface Built {
  readonly directory: Directory
  readonly badRows: number
  /** A bit for each sent row, 1 if its unit is in the directory; undefined if all are. */
  readonly kept: Uint8Array | undefined
}

class Import {
  private readonly input: DirectoryInput
  private readonly options: ImportOptions
  private readonly watch: ImportWatch
  private readonly client: Client
  /** Whether a bad row has been found that refuses the files. */
  private isRefused = false
  private badRows = 0

  constructor(input: DirectoryInput, options: ImportOptions, client: Client) {
    this.input = input
    this.options = options
    this.watch = options.watch ?? {}
    this.client = client
  }

  /** Does everything except storing. */
  async check(): Promise<ImportResult> {
    const before = (await hasTables(this.client)) ? await storedEdition(this.client) : undefined
    const reader = this.makeReader({ keepsRow: () => false, addresses: false })
    const checksum = await this.read(reader, undefined)
    if (this.isCurrent(before, checksum)) return unchanged(before)
    const built = this.build(reader, checksum)
    if (built === undefined) return this.refused()
    return { outcome: "checked", ...(await this.describe(built, before, checksum)) }
  }

  /** Imports in one transaction. If it fails, the caller closes the connection without a commit. */
  async run(): Promise<ImportResult> {
    const { client } = this
    const before = await storedEdition(client)
    const edition = await nextEdition(client)
    const reader = this.makeReader({ keepsRow: () => !this.isRefused, addresses: true })
    const { checksum, rows } = await this.send(reader, edition)
    if (this.isCurrent(before, checksum)) return unchanged(before)
    // The server indexes while this process builds the directory; errors are handled afterwards.
    const indexed = this.isRefused ? Promise.resolve() : indexUnits(client, edition)
    indexed.catch(() => {})
    const built = this.build(reader, checksum)
    if (built === undefined) return this.refused()
    const { directory, kept } = built
    const imported = await this.describe(built, before, checksum)
    await indexed.catch((error: unknown) => {
      // Expected if rows repeat a postcode: the index is unique. The rows are then sent again without them.
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

  private makeReader(kept: Required<Pick<DirectoryReaderOptions, "addresses" | "keepsRow">>): DirectoryReader {
    const { onBadRow, skipBadRows = false } = this.options
    return new DirectoryReader({
      ...kept,
      skipBadRows,
      onBadRow: (badRow) => {
        this.isRefused ||= !skipBadRows
        this.badRows++
        onBadRow?.(badRow)
      }
    })
  }

  /** Sends the rows of a reader, in a transaction that stays open. */
  private async send(reader: DirectoryReader, edition: number): Promise<Sent> {
    await this.client.query("BEGIN")
    const copy = await beginUnits(this.client, edition)
    const checksum = await this.read(reader, copy)
    const rows = this.isRefused ? 0 : await copy.end()
    return { checksum, rows }
  }

  /** Repeated postcodes are found after their rows were sent. Then the files are read and sent again without them. */
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
    const old = before === undefined ? emptyDirectory() : await readCurrent(this.options.url)
    const difference = compareDirectories(old, directory)
    this.watch.onDifference?.(difference)
    const { activeSize: activeUnits, date, size: units, version } = directory
    return { version, date, units, activeUnits, badRows, difference, checksum }
  }

  private isCurrent(before: StoredEdition | undefined, checksum: string): before is StoredEdition {
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

/** The details of an import in the audit log. */
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

const emptyDirectory = (): Directory => {
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
