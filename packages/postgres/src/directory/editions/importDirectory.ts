/**
 * `postcode import`: imports the two CSV files of a directory as a new edition. One transaction stores the edition,
 * applies the changes to keep, and makes it current. If it fails, the previous edition stays current and nothing else is
 * stored.
 *
 * Rows are sent to the server while they are checked. While the server indexes them, this process builds the directory
 * and compares it with the current one.
 */
import { createHash } from "node:crypto"
import type { Removals, RemovalsVerdict } from "@postcode/core/Changes"
import {
  checkDirectory,
  DirectoryReader,
  type DirectoryReaderOptions,
  type DirectoryWarning,
  type FileFacts,
  type Findings,
  type ReadingOptions,
  warningsOf
} from "@postcode/core/Csv"
import { Directory, pack } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import { compareDirectories, type DirectoryDifference } from "@postcode/gateway/directory/imports/compareDirectories"
import { Effect, Redacted } from "effect"
import type { Client } from "pg"
import { newEventId } from "../../audit/EventId.ts"
import { layerDatabase } from "../../connection/Database.ts"
import { changedPostcodes } from "../ChangedUnits.ts"
import { currentEdition, unitsTable } from "../Editions.ts"
import { loadEdition } from "../loadEdition.ts"
import type { ChangesOverview } from "./ChangesOverview.ts"
import type { CopyIn } from "./CopyIn.ts"
import {
  type CarriedChanges,
  type ChangesDecision,
  EditionSwitch,
  type RemovalsDecision,
  type SwitchTarget
} from "./EditionSwitch.ts"
import { lockImports, prepareSchema, withImportConnection } from "./ImportConnection.ts"
import { commitOrDoubt, ImportFailure } from "./ImportFailure.ts"
import {
  beginUnits,
  dropOldEditions,
  hasTables,
  indexUnits,
  namesake,
  nextEdition,
  noteEvent,
  type StoredEdition,
  shownName,
  storedEdition,
  storeEdition
} from "./StoredEditions.ts"

/** The uncompressed files. Each can be read more than once; a chunk may be overwritten by the next. */
export interface DirectoryInput {
  readonly places: () => AsyncIterable<Uint8Array>
  readonly units: () => AsyncIterable<Uint8Array>
}

/** An edition, and how many changes it has. */
type EditionName = Pick<StoredEdition, "changes" | "version">

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
  /** How the files are written, where the files do not show it. */
  readonly reading?: ReadingOptions
  /** What the user should know of how a file is written. */
  readonly onNote?: DirectoryReaderOptions["onNote"]
  /** Check and compare without storing anything. */
  readonly dryRun?: boolean
  /** Import even if the same files are current. */
  readonly force?: boolean
  /** Who imports, as in the audit log; `command` by default. */
  readonly actor?: string
  /** What becomes of changes of the current edition that the new one would undo. By default, it is then refused. */
  readonly changes?: ChangesDecision | undefined
  /** How many active units the new edition may take away, if it is more than 1 %. By default, it is then refused. */
  readonly removals?: RemovalsDecision | undefined
  /** Whether the current edition is one that nobody needs, such as a demonstration: then all of it may be taken away. */
  readonly isDispensable?: (current: EditionName) => boolean
  readonly signal?: AbortSignal
  readonly onBadRow?: DirectoryReaderOptions["onBadRow"]
  readonly watch?: ImportWatch
}

/** A new edition, and what a look at it found. */
export interface CheckedEdition {
  readonly directory: Directory
  /** The line of the units' file, by the id of a unit. */
  readonly lineOf: (id: number) => number
  readonly facts: FileFacts
  readonly found: ReadonlyArray<Findings>
}

/** Progress of an import. */
export interface ImportWatch {
  /** Unit rows read so far, after each chunk. */
  readonly onUnits?: (rows: number) => void
  /** All rows were read and are valid; building and indexing begin. */
  readonly onIndexing?: (rows: number) => void
  readonly onIndexed?: (directory: Directory) => void
  /**
   * Gets the new edition, and what a look at it found, before it is compared; nothing is imported if it fails.
   */
  readonly onChecked?: (checked: CheckedEdition) => Promise<void>
  /** The changes from the current edition, or from an empty directory, before the new edition is current. */
  readonly onDifference?: (difference: DirectoryDifference) => void
  /** What the new edition would do to the changes of the current one, if there are any, before they are decided on. */
  readonly onChanges?: (overview: ChangesOverview) => void
  /** What the new edition would take away, if that needs a permission, before it is decided on. */
  readonly onRemovals?: (verdict: RemovalsVerdict) => void
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
  /** From the current edition without its changes. */
  readonly difference: DirectoryDifference
  /** SHA-256 of both uncompressed files, and of the mapping of their columns if there is one. */
  readonly checksum: string
}

/** The outcome of an import. */
export type ImportResult =
  | ({
      readonly outcome: "imported"
      readonly edition: number
      readonly carried: CarriedChanges | undefined
    } & ImportedDirectory)
  /** The files are valid; nothing was stored. */
  | ({
      readonly outcome: "checked"
      readonly changes: ChangesOverview | undefined
      readonly removals: RemovalsVerdict
    } & ImportedDirectory)
  /** These files are already current. */
  | { readonly outcome: "unchanged"; readonly edition: number; readonly version: string; readonly date: string }
  | { readonly outcome: "refused"; readonly badRows: number }

/**
 * Rejects with `ImportFailure`, the reason of the signal, or the error of the input. Even after the signal, it rejects
 * with `ImportInDoubt` if the edition may be current.
 */
export const importDirectory = async (input: DirectoryInput, options: ImportOptions): Promise<ImportResult> => {
  const { dryRun = false } = options
  return withImportConnection(options, (client) =>
    dryRun ? new Import(input, options, client).check() : runLocked(input, options, client)
  )
}

const runLocked = async (input: DirectoryInput, options: ImportOptions, client: Client): Promise<ImportResult> => {
  await prepareSchema(options, options.watch?.onWait)
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
  readonly lineOf: (id: number) => number
  readonly facts: FileFacts
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
    const { client } = this
    const before = (await hasTables(client)) ? await storedEdition(client) : undefined
    // The rows of changed units alone, for the transaction.
    const changed = new Set(before?.changes ? (await changedPostcodes(client, before.edition)).map(pack) : [])
    const reader = this.makeReader({ keepsRow: (_, code) => changed.delete(code), addresses: false })
    await client.query("BEGIN")
    const copy = before?.changes ? await beginUnits(client, checkedUnits, "TEMPORARY TABLE") : undefined
    const checksum = await this.read(reader, copy)
    await copy?.end()
    if (this.isCurrent(before, checksum)) return unchanged(before)
    const built = this.build(reader, checksum)
    if (built === undefined) return this.refused()
    await this.lookAt(built)
    const { imported, removals } = await this.describe(built, before, checksum)
    const { version } = imported
    const switching = this.switchTo(before, { edition: notStored, version, table: checkedUnits, changes: 0, removals })
    const changes = await switching.overview()
    return { outcome: "checked", ...imported, changes, removals: await switching.removals() }
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
    const warnings = await this.lookAt(built)
    const { imported, removals } = await this.describe(built, before, checksum)
    await indexed.catch((error: unknown) => {
      // Expected if rows repeat a postcode: the index is unique. The rows are then sent again without them.
      if (kept === undefined) throw error
    })
    const stored = kept === undefined ? rows : await this.sendAgain(edition, kept, checksum)
    if (stored !== directory.size) throw new Error(`the server took ${stored} rows; expected ${directory.size}`)
    const { version } = directory
    const switching = this.switchTo(before, { edition, version, table: unitsTable(edition), changes: 0, removals })
    await switching.decide()
    await storeEdition(client, { edition, directory, checksum, warnings }, this.watch.onPublishing ?? (() => {}))
    this.options.signal?.throwIfAborted()
    const id = newEventId()
    const { carried } = await switching.run(id)
    await noteEvent(client, {
      id,
      actor: this.options.actor ?? "command",
      action: "directory.imported",
      edition,
      details: detailsOf(imported, carried)
    })
    await commitOrDoubt(client, edition, "run the import again")
    return { outcome: "imported", edition, carried, ...imported }
  }

  private switchTo(before: StoredEdition | undefined, to: SwitchTarget): EditionSwitch {
    const { changes, isDispensable } = this.options
    const { onChanges, onRemovals } = this.watch
    const removals = before !== undefined && isDispensable?.(before) ? "all" : this.options.removals
    // All changes: those of earlier editions that were kept are not in the files, either.
    const from = before && { ...before, after: 0 }
    return new EditionSwitch(this.client, from, to, { changes, onChanges, removals, onRemovals })
  }

  private makeReader(kept: Required<Pick<DirectoryReaderOptions, "addresses" | "keepsRow">>): DirectoryReader {
    const { onBadRow, onNote, reading, skipBadRows = false } = this.options
    return new DirectoryReader({
      ...kept,
      ...reading,
      ...(onNote && { onNote }),
      skipBadRows,
      onBadRow: (badRow, row) => {
        this.isRefused ||= !skipBadRows
        this.badRows++
        onBadRow?.(badRow, row)
      }
    })
  }

  /** Sends the rows of a reader, in a transaction that stays open. */
  private async send(reader: DirectoryReader, edition: number): Promise<Sent> {
    await this.client.query("BEGIN")
    const copy = await beginUnits(this.client, unitsTable(edition))
    const checksum = await this.read(reader, copy)
    const rows = this.isRefused ? 0 : await copy.end()
    return { checksum, rows }
  }

  /** Repeated postcodes are found after their rows were sent. Then the files are read and sent again without them. */
  private async sendAgain(edition: number, kept: Uint8Array, checksum: string): Promise<number> {
    await this.client.query("ROLLBACK")
    const reader = new DirectoryReader({
      ...this.options.reading,
      skipBadRows: true,
      keepsRow: (row) => ((kept[row >>> 3] as number) >>> (row & 7)) % 2 === 1
    })
    const sent = await this.send(reader, edition)
    if (sent.checksum !== checksum) throw new ImportFailure("the files changed while they were read")
    await indexUnits(this.client, edition)
    return sent.rows
  }

  private async read(reader: DirectoryReader, copy: CopyIn | undefined): Promise<string> {
    const { reading, signal } = this.options
    const hash = createHash("sha256")
    // The same files read in another way make another edition.
    const isMapped = Object.values(reading?.mapping ?? {}).length > 0
    if (isMapped || reading?.dropsLine !== undefined) hash.update(JSON.stringify({ ...reading, drops: true }))
    if (reading?.mendedRows !== undefined) hash.update(JSON.stringify([...reading.mendedRows]))
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
    const { badRows, facts, lineOf } = read
    return { directory, badRows, facts, lineOf, kept: directory.size < rows ? bitsOf(read.rowOfUnit, rows) : undefined }
  }

  /** The warnings to store. */
  private async lookAt({ directory, facts, lineOf }: Built): Promise<ReadonlyArray<DirectoryWarning>> {
    const found = checkDirectory(directory, facts)
    await this.watch.onChecked?.({ directory, facts, lineOf, found })
    return warningsOf(found, directory, lineOf)
  }

  private async describe(
    { badRows, directory }: Built,
    before: StoredEdition | undefined,
    checksum: string
  ): Promise<{ readonly imported: ImportedDirectory; readonly removals: Removals }> {
    if (before !== undefined) await this.checkName(directory.version, checksum)
    const old = before === undefined ? emptyDirectory() : await readCurrent(this.options.url)
    // Over an edition that is needed, what is taken away needs a permission.
    const isNeeded = old.activeSize > 0 && !(before !== undefined && this.options.isDispensable?.(before) === true)
    if (directory.size === 0 && !isNeeded) throw new ImportFailure("there are no units in the file")
    const { difference, removals } = compareDirectories(old, directory)
    this.watch.onDifference?.(difference)
    const { activeSize: activeUnits, date, size: units, version } = directory
    return { imported: { version, date, units, activeUnits, badRows, difference, checksum }, removals }
  }

  private async checkName(version: string, checksum: string): Promise<void> {
    const found = await namesake(this.client, { version, checksum })
    if (found === undefined) return
    const difference = found.checksum === checksum ? "has been changed since" : "is made of other files"
    throw new ImportFailure(
      `edition ${found.edition} is called ${shownName(version)}, too, and ${difference}: choose another --data-version`
    )
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
const detailsOf = (imported: ImportedDirectory, carried: CarriedChanges | undefined) => {
  const { activeUnits, badRows, date, difference, units, version } = imported
  const { added, moved, reactivated, removed, retired } = difference
  const changes = { added, moved, retired, reactivated, removed, ...carried }
  return { version, date, units, active_units: activeUnits, bad_rows: badRows, ...changes }
}

/** The edition of a dry run, and its table. */
const notStored = 0
const checkedUnits = "pg_temp.checked_units"

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

/** The current edition without its changes. */
const readCurrent = (url: string): Promise<Directory> =>
  Effect.flatMap(currentEdition, (edition) =>
    edition === undefined ? Effect.succeed(emptyDirectory()) : loadEdition(edition)
  ).pipe(Effect.provide(layerDatabase({ url: Redacted.make(url), maxConnections: 1 })), Effect.runPromise)
