/** Runs an import that was uploaded through the management API, by the same code as `postcode import`. */
import { mkdtemp, open, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { extname, join } from "node:path"
import { checkDirectory, DirectoryReader, implausibleLines, type ReadingOptions } from "@postcode/core/Csv"
import type { ImportFileName } from "@postcode/gateway/directory/imports/DirectoryImports"
import { ImportReport, withoutFlags } from "@postcode/gateway/directory/imports/ImportReport"
import { sampleUnits } from "@postcode/gateway/directory/imports/sampleUnits"
import {
  ImportFailure,
  ImportInDoubt,
  type ImportOptions,
  importDirectory,
  openStoredImport,
  type StoredImport
} from "@postcode/postgres"
import { isDemonstration } from "../data/demonstrationVersion.ts"
import { type InputFile, readFile } from "../directory/InputFiles.ts"
import { locateState } from "../directory/locateState.ts"
import { CommandFailure } from "../process/ExitCode.ts"

/** An import in a database. */
export interface ImportRun {
  /** The address of the database. */
  readonly url: string
  readonly id: string
}

/** Resolves when the import has ended, as it is stored then. Rejects if its end could not be stored. */
export const runImport = async ({ id, url }: ImportRun): Promise<void> => {
  const stored = await openStoredImport(url, id)
  const folder = await mkdtemp(join(tmpdir(), "postcode-import-"))
  try {
    const run = new Run(stored, url, folder)
    await run.run().catch((error: unknown) => fail(stored, error, folder))
  } finally {
    await rm(folder, { recursive: true, force: true })
    await stored.close()
  }
}

/** A failure with a reason is told; another one is also logged, by the caller. */
const fail = async (stored: StoredImport, error: unknown, folder: string): Promise<void> => {
  const isExplained = error instanceof ImportFailure || error instanceof CommandFailure
  const isStopped = stored.signal.aborted && !(error instanceof ImportInDoubt)
  if (!isExplained && !isStopped) throw error
  const message = isExplained ? error.message : "it was cancelled"
  await stored.end({ phase: "failed", problem: withoutFlags(message.replaceAll(join(folder, "/"), "")) })
}

/** Above these, an import takes the memory of the service: a file that unpacks to much more than it has. */
const maxRows = 40_000_000
const maxRead_bytes = 8 * 2 ** 30

type Files = Readonly<Record<ImportFileName, InputFile>>

class Run {
  private readonly stored: StoredImport
  private readonly url: string
  private readonly folder: string
  private readonly report: ImportReport
  private rows = 0

  constructor(stored: StoredImport, url: string, folder: string) {
    this.stored = stored
    this.url = url
    this.folder = folder
    this.report = new ImportReport(stored.names)
  }

  async run(): Promise<void> {
    const files = { places: await this.writeFile("places"), units: await this.writeFile("units") }
    const { drop_implausible, dry_run } = this.stored.task
    const lines = drop_implausible ? await this.implausible(files) : new Set<number>()
    const reading = { ...this.reading(), ...(drop_implausible && { dropsLine: (line: number) => lines.has(line) }) }
    if (dry_run) await this.check(files, reading, lines.size)
    else await this.import(files, reading)
  }

  private async check(files: Files, reading: ReadingOptions, dropped: number): Promise<void> {
    const rows = await sampleUnits(this.read(files, "units"), reading)
    // Without a name, so that no stored edition has the same one; the same files are looked at again.
    await importDirectory(this.input(files), { ...this.options(reading), dryRun: true, force: true, skipBadRows: true })
    await this.stored.end({ phase: "checked", check: this.report.check(this.stored.task, rows, dropped) })
  }

  private async import(files: Files, reading: ReadingOptions): Promise<void> {
    const { allow_removals, changes, data_date, data_version, skip_bad_rows } = this.stored.task
    const result = await importDirectory(this.input(files), {
      ...this.options(reading),
      version: data_version,
      date: data_date,
      skipBadRows: skip_bad_rows,
      changes,
      removals: allow_removals
    })
    if (result.outcome === "refused") throw new CommandFailure(this.report.refusal())
    const { date, outcome, version } = result
    await this.stored.end({
      phase: "imported",
      imported: { outcome: outcome === "unchanged" ? outcome : "imported", data_version: version, data_date: date }
    })
  }

  private options(reading: ReadingOptions): ImportOptions {
    const { report, stored } = this
    const at = (step: "indexing" | "comparing") => () => stored.progress({ step, rows: this.rows })
    return {
      url: this.url,
      actor: stored.actor,
      dayOfFiles: "",
      reading: { ...reading, onHeader: report.onHeader },
      isDispensable: isDemonstration,
      signal: stored.signal,
      onNote: report.onNote,
      onBadRow: report.onBadRow,
      watch: {
        onUnits: (rows) => this.count(rows),
        onIndexing: at("indexing"),
        onIndexed: at("comparing"),
        onChecked: async (checked) => report.onChecked(checked),
        onDifference: report.onDifference,
        onRemovals: report.onRemovals,
        onChanges: report.onChanges,
        onPublishing: (done, total) => stored.progress({ step: "publishing", share: done / total, rows: this.rows })
      }
    }
  }

  private input(files: Files) {
    return {
      places: () => this.read(files, "places"),
      units: () =>
        this.read(files, "units", (share) => this.stored.progress({ step: "reading", share, rows: this.rows }))
    }
  }

  private count(rows: number): void {
    this.rows = rows
    if (rows > maxRows) throw new CommandFailure(`expected at most ${maxRows.toLocaleString("en")} units`)
  }

  private async *read(
    files: Files,
    name: ImportFileName,
    onShare: (share: number) => void = () => {}
  ): AsyncGenerator<Uint8Array> {
    const { [name]: file } = files
    const onNote = (note: string) => this.report.onNote(name, note)
    let read_bytes = 0
    for await (const bytes of readFile(file, this.stored.signal, { onShare, onNote })) {
      read_bytes += bytes.length
      if (read_bytes > maxRead_bytes) {
        throw new CommandFailure(`${file.name}: expected at most ${maxRead_bytes / 2 ** 30} GiB after unpacking`)
      }
      yield bytes
    }
  }

  private reading(): ReadingOptions {
    const { columns, delimiter, skip_lines: skipLines } = this.stored.task
    return { mapping: columns, delimiter, skipLines, checksAddresses: true, locate: locateState }
  }

  private async implausible(files: Files): Promise<ReadonlySet<number>> {
    const reader = new DirectoryReader({ ...this.reading(), skipBadRows: true })
    for await (const bytes of this.read(files, "places")) reader.writePlaces(bytes)
    for await (const bytes of this.read(files, "units")) {
      reader.writeUnits(bytes)
      this.count(reader.unitRows)
    }
    const read = reader.finish()
    return read.ok ? implausibleLines(checkDirectory(read.directory, read.facts), read.lineOf) : new Set()
  }

  /** A file of its own name, since readers of workbooks and archives need one. */
  private async writeFile(file: ImportFileName): Promise<InputFile> {
    const ending = extname(this.stored.names[file]).toLowerCase()
    const name = `${file}${/^\.[a-z0-9]{1,10}$/.test(ending) ? ending : ".csv"}`
    const path = join(this.folder, name)
    await using written = await open(path, "w")
    for await (const bytes of this.stored.parts(file)) {
      this.stored.signal.throwIfAborted()
      await written.appendFile(bytes)
    }
    // A workbook that is chosen for both has a sheet for each, as one that the command gets.
    const { places, units } = this.stored.names
    return { name, path, modified_ms: 0, sheet: places === units ? file : undefined }
  }
}
