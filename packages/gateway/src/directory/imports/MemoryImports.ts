/** Imports into a directory in memory: the edition replaces the directory at once, and is lost with the process. */
import { judgeRemovals, type UnitChange, type UnitState, unitStateIn } from "@postcode/core/Changes"
import {
  checkDirectory,
  DirectoryReader,
  type DirectoryReaderOptions,
  type DirectoryWarning,
  implausibleLines,
  type ReadingOptions,
  warningsOf
} from "@postcode/core/Csv"
import type { Directory } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { Clock, type Context, Effect } from "effect"
import { changeFate, changesBetween, type UnitAcrossEditions } from "./changeFate.ts"
import { compareDirectories } from "./compareDirectories.ts"
import type {
  DirectoryImport,
  DirectoryImports,
  ImportFileName,
  ImportPart,
  ImportProgress,
  ImportTask,
  NewImport,
  NoteImport
} from "./DirectoryImports.ts"
import { type CheckedDirectory, ImportReport } from "./ImportReport.ts"
import { hasEnded, idle_s, isRunning, openElsewhere, partRefusal, runRefusal, unknownImport } from "./ImportRules.ts"
import { RemovalsTally } from "./RemovalsTally.ts"
import { sampleUnits } from "./sampleUnits.ts"

/** The directory that imports replace. */
export interface ReplaceableDirectory {
  /** The edition without its changes. */
  readonly edition: () => Directory
  /** The units that were changed: their state in the edition, and now. */
  readonly changedUnits: () => ReadonlyArray<Omit<UnitAcrossEditions, "after">>
  /** Replaces it, and then applies the changes to keep. */
  readonly replace: (edition: NewEdition, kept: ReadonlyArray<UnitChange>, actor: string) => Effect.Effect<void>
}

/** An edition to replace the directory with. */
export interface NewEdition {
  readonly directory: Directory
  readonly attributesOf: (id: number) => UnitAttributes
  readonly warnings: ReadonlyArray<DirectoryWarning>
}

/** Both files are in memory. */
const maximum_bytes = 64 * 2 ** 20

interface OpenImport {
  shown: DirectoryImport
  readonly parts: Readonly<Record<ImportFileName, Array<Uint8Array>>>
  isCancelled: boolean
  active_ms: number
}

export const memoryImports = (
  target: ReplaceableDirectory,
  context: Context.Context<never>,
  reading: ReadingOptions
): DirectoryImports["Service"] => {
  let open: OpenImport | undefined
  const find = (id: string) =>
    Effect.suspend(() => (open?.shown.id === id ? Effect.succeed(open) : Effect.fail(unknownImport)))
  const touch = (found: OpenImport) =>
    Effect.map(Clock.currentTimeMillis, (now_ms) => {
      found.active_ms = now_ms
    })
  return {
    maximum_bytes,
    current: Effect.sync(() => open?.shown),
    open: Effect.fnUntraced(function* (opened: NewImport) {
      const active_ms = yield* Clock.currentTimeMillis
      if (open !== undefined && !mayReplace(open, opened.actor, active_ms)) return yield* openElsewhere(open.shown)
      if (open !== undefined) open.isCancelled = true
      const uploaded = (file: ImportFileName) => ({ ...opened[file], received_bytes: 0 })
      const shown: DirectoryImport = {
        ...opened,
        phase: "uploading",
        places: uploaded("places"),
        units: uploaded("units")
      }
      open = { shown, parts: { places: [], units: [] }, isCancelled: false, active_ms }
      return shown
    }),
    append: Effect.fnUntraced(function* (part: ImportPart) {
      const found = yield* find(part.id)
      yield* touch(found)
      const { [part.file]: file, phase } = found.shown
      const end = part.offset + part.bytes.length
      if (phase !== "uploading" || part.offset !== file.received_bytes || end > file.size_bytes) {
        const refusal = partRefusal(found.shown, part)
        return refusal === undefined ? found.shown : yield* refusal
      }
      found.parts[part.file].push(part.bytes)
      found.shown = { ...found.shown, [part.file]: { ...file, received_bytes: end } }
      return found.shown
    }),
    run: Effect.fnUntraced(function* (id: string, task: ImportTask, actor: string, note: NoteImport) {
      const found = yield* find(id)
      yield* touch(found)
      const refusal = runRefusal(found.shown)
      if (refusal !== undefined) return yield* refusal
      const { check, problem: _, progress: __, ...rest } = found.shown
      const phase = task.dry_run ? "checking" : "importing"
      found.shown = { ...rest, phase, ...(!task.dry_run && check && { check }) }
      const work = new MemoryRun(target, found, reading, task, actor)
      void Effect.runForkWith(context)(Effect.promise(() => work.run(note, Effect.runPromiseWith(context))))
      return found.shown
    }),
    cancel: (id) =>
      Effect.map(find(id), (found) => {
        found.isCancelled = true
        open = undefined
      })
  }
}

const mayReplace = ({ active_ms, shown: { actor, phase } }: OpenImport, by: string, now_ms: number): boolean =>
  hasEnded(phase) || (!isRunning(phase) && (actor === by || now_ms - active_ms > idle_s * 1000))

/** A reason that the operator is told. */
class RunFailure extends Error {}

type RunPromise = <A, E>(effect: Effect.Effect<A, E>) => Promise<A>

interface Read extends CheckedDirectory {
  readonly attributesOf: (id: number) => UnitAttributes
  readonly badRows: number
}

class MemoryRun {
  private readonly target: ReplaceableDirectory
  private readonly open: OpenImport
  private readonly given: ReadingOptions
  private readonly task: ImportTask
  private readonly actor: string
  private readonly report: ImportReport

  constructor(target: ReplaceableDirectory, open: OpenImport, given: ReadingOptions, task: ImportTask, actor: string) {
    this.target = target
    this.open = open
    this.given = given
    this.task = task
    this.actor = actor
    this.report = this.newReport()
  }

  private newReport(): ImportReport {
    const { places, units } = this.open.shown
    return new ImportReport({ places: places.name, units: units.name })
  }

  /** Never rejects: what goes wrong is shown. */
  async run(note: NoteImport, runPromise: RunPromise): Promise<void> {
    try {
      const shown = this.task.dry_run ? await this.check() : await this.import(note, runPromise)
      this.show({ ...shown, progress: undefined })
    } catch (error) {
      if (this.open.isCancelled) return
      const problem =
        error instanceof RunFailure ? error.message : "the import failed because of a fault of the service"
      this.show({ phase: "failed", problem, progress: undefined })
    }
  }

  private async check(): Promise<Partial<DirectoryImport>> {
    const rows = await sampleUnits(this.file("units"), this.reading())
    const { dropped, read } = await this.read()
    if (read !== undefined) this.compare(read)
    return { phase: "checked", check: this.report.check(this.task, rows, dropped) }
  }

  private async import(note: NoteImport, runPromise: RunPromise): Promise<Partial<DirectoryImport>> {
    const { changes, skip_bad_rows } = this.task
    const { read } = await this.read()
    if (read === undefined || (read.badRows > 0 && !skip_bad_rows)) throw new RunFailure(this.report.refusal())
    const { directory, found, lineOf } = read
    if (directory.size === 0) throw new RunFailure("there are no units in the file")
    const before = this.target.edition()
    if (before.version === directory.version) {
      throw new RunFailure(`the current edition is called ${directory.version}, too: choose another name`)
    }
    const { difference, undone, verdict } = this.compare(read)
    if (undone.length > 0 && changes === undefined) throw new RunFailure("it would undo changes: keep or drop them")
    if (!verdict.isAllowed) throw new RunFailure(`it would ${verdict.description}`)
    if (this.open.isCancelled) return {}
    const kept = changes === "keep" ? undone.flatMap(({ after, changed }) => changesBetween(after, changed)) : []
    const warnings = warningsOf(found, directory, lineOf)
    const { added, moved, reactivated, removed, retired } = difference
    await runPromise(this.target.replace({ ...read, warnings }, kept, this.actor))
    const { activeSize: active_units, date, size: units, version } = directory
    const counts = { added, moved, retired, reactivated, removed }
    await runPromise(note({ version, date, units, active_units, bad_rows: read.badRows, ...counts }))
    for (const parts of Object.values(this.open.parts)) parts.length = 0
    return { phase: "imported", imported: { outcome: "imported", data_version: version, data_date: date } }
  }

  /** Both files; undefined if they are not those of a directory. */
  private async read(): Promise<{ readonly read: Read | undefined; readonly dropped: number }> {
    const { drop_implausible } = this.task
    if (!drop_implausible) return { read: await this.readOnce(this.report), dropped: 0 }
    const first = await this.readOnce(this.newReport())
    const lines = first === undefined ? new Set<number>() : implausibleLines(first.found, first.lineOf)
    const read = await this.readOnce(this.report, { dropsLine: (line) => lines.has(line) })
    return { read, dropped: lines.size }
  }

  private async readOnce(report: ImportReport, options: DirectoryReaderOptions = {}): Promise<Read | undefined> {
    const attributes: Array<UnitAttributes> = []
    const reader = new DirectoryReader({
      ...options,
      ...this.reading(),
      version: this.task.data_version ?? "",
      date: this.task.data_date ?? "",
      addresses: true,
      skipBadRows: true,
      onNote: report.onNote,
      onHeader: report.onHeader,
      onBadRow: report.onBadRow,
      onAttributes: (row, known) => {
        attributes[row] = known
      }
    })
    for await (const bytes of this.file("places")) reader.writePlaces(bytes)
    const { size_bytes } = this.open.shown.units
    let read_bytes = 0
    for await (const bytes of this.file("units")) {
      reader.writeUnits(bytes)
      read_bytes += bytes.length
      this.progress({ step: "reading", share: read_bytes / size_bytes, rows: reader.unitRows })
    }
    const result = reader.finish()
    if (!result.ok) return undefined
    const { badRows, directory, facts, lineOf, rowOfUnit } = result
    const found = checkDirectory(directory, facts)
    report.onChecked({ directory, lineOf, found })
    return { directory, lineOf, found, badRows, attributesOf: (id) => attributes[rowOfUnit[id] as number] ?? {} }
  }

  private compare({ attributesOf, directory }: Read) {
    const { difference, removals } = compareDirectories(this.target.edition(), directory)
    const after = (postcode: Postcode): UnitState | undefined => {
      const id = directory.find(postcode)
      return unitStateIn(directory, postcode, id < 0 ? {} : attributesOf(id))
    }
    const counts = { contained: 0, undone: 0, superseded: 0 }
    const undone: Array<UnitAcrossEditions> = []
    const tally = new RemovalsTally(removals)
    const units = this.target.changedUnits()
    for (const { before, changed } of units) {
      const unit = { before, changed, after: after(changed.postcode) }
      const fate = changeFate(unit)
      counts[fate]++
      if (fate === "undone") undone.push(unit)
      tally.add(before, unit.after, -1)
      tally.add(changed, fate === "undone" && this.task.changes === "keep" ? changed : unit.after)
    }
    const verdict = judgeRemovals(tally.removals(), this.task.allow_removals)
    this.report.onDifference(difference)
    this.report.onRemovals(verdict)
    if (units.length > 0) this.report.onChanges(counts)
    return { difference, undone, verdict }
  }

  private reading(): ReadingOptions {
    const { columns, delimiter, skip_lines: skipLines } = this.task
    return { ...this.given, mapping: columns, delimiter, skipLines, checksAddresses: true }
  }

  /** Other requests are answered between the parts. */
  private async *file(name: ImportFileName): AsyncGenerator<Uint8Array> {
    for (const bytes of this.open.parts[name]) {
      if (this.open.isCancelled) throw new RunFailure("it was cancelled")
      yield bytes
      await Effect.runPromise(Effect.sleep(0))
    }
  }

  private progress(progress: ImportProgress): void {
    this.show({ progress })
  }

  private show(changes: { readonly [Name in keyof DirectoryImport]?: DirectoryImport[Name] | undefined }): void {
    const shown = { ...this.open.shown, ...changes }
    if (shown.progress === undefined) delete (shown as { progress?: unknown }).progress
    this.open.shown = shown as DirectoryImport
  }
}
