/** `postcode import`: imports a folder of CSV files into the database, from which all replicas load it. */
import type { AllowedRemovals } from "@postcode/core/Changes"
import type { DirectoryDifference } from "@postcode/gateway/directory/imports/compareDirectories"
import {
  type ChangesPolicy,
  type Edition,
  ImportFailure,
  ImportInDoubt,
  type ImportResult,
  importDirectory
} from "@postcode/postgres"
import type { DatabaseFlags } from "@postcode/server/data/DatabaseFlags"
import { databaseOf } from "@postcode/server/data/databaseOf"
import { isDemonstration } from "@postcode/server/data/demonstrationVersion"
import { BadRowFile } from "@postcode/server/directory/BadRowFile"
import { reportBadRows } from "@postcode/server/directory/BadRowReport"
import { reportFindings } from "@postcode/server/directory/DirectoryReport"
import { dayOf, findFiles, type InputFiles, readFile } from "@postcode/server/directory/InputFiles"
import { CommandFailure } from "@postcode/server/process/ExitCode"
import { printable, say, writeData, writeJson } from "@postcode/server/process/Output"
import { grouped } from "@postcode/server/process/Progress"
import { untilSettled } from "@postcode/server/process/UntilSettled"
import { findCurrentEdition } from "@postcode/server/store/findCurrentEdition"
import { Effect, Redacted } from "effect"
import { printRecord } from "../../terminal/Print.ts"
import type { View } from "../../terminal/Table.ts"
import { describeRemovals, removalsDecision } from "./AllowRemovals.ts"
import {
  askAboutChanges,
  type ChangesFlags,
  describeCarried,
  describeChanges,
  describeCounts,
  policyOf
} from "./ChangesFlags.ts"
import { type CheckFlags, checkedReadingOf } from "./CheckFlags.ts"
import { ImportProgress } from "./ImportProgress.ts"
import { previewFiles, previewText } from "./previewFiles.ts"

/** Input and options of the import. */
export interface ImportFiles extends DatabaseFlags, ChangesFlags, CheckFlags {
  /** The folder with the CSV files. */
  readonly path: string
  readonly dryRun: boolean
  /** Show how the files would be read, and do nothing else. */
  readonly preview: boolean
  readonly allowRemovals: AllowedRemovals | undefined
  /** Import again if the edition is already current. */
  readonly force: boolean
  /** Import only if the database has no edition. */
  readonly ifEmpty: boolean
  readonly dataVersion: string | undefined
  readonly dataDate: string | undefined
  readonly json: boolean
}

/** Afterwards either the imported edition is current or the previous one still is. */
export const importFiles = (input: ImportFiles): Effect.Effect<void, CommandFailure> =>
  Effect.scoped(
    Effect.gen(function* () {
      if (input.preview) {
        const preview = yield* untilSettled((signal) => previewFiles(input.path, input, signal))
        yield* input.json ? writeJson(preview) : writeData(previewText(preview))
        return
      }
      const policy = yield* policyOf(input)
      const url = yield* databaseOf(input, "postcode import")
      const present = input.ifEmpty ? yield* findCurrentEdition(url) : undefined
      const result = present ? keep(present) : yield* untilSettled((signal) => run(input, url, policy, signal))
      yield* printRecord(input, summarize(result), fields)
    })
  )

type Done = Exclude<ImportResult, { readonly outcome: "refused" }>

const keep = ({ date, edition, version }: Edition): Done => {
  say(`edition ${edition} is current: nothing to do with --if-empty`)
  return { outcome: "unchanged", edition, version, date }
}

const run = async (
  input: ImportFiles,
  url: Redacted.Redacted,
  policy: ChangesPolicy | undefined,
  signal: AbortSignal
): Promise<Done> => {
  const { allowRemovals, dataDate, dataVersion, dryRun, force, path, skipBadRows } = input
  const files = await findFiles(path, input.sheet)
  const progress = new ImportProgress(path)
  const badRowFile = input.badRows === undefined ? undefined : new BadRowFile(input.badRows)
  const badRows = reportBadRows(files, progress)
  try {
    const reading = await checkedReadingOf(path, input, signal)
    const result = await importDirectory(inputOf(files, signal, progress), {
      url: Redacted.value(url),
      version: dataVersion,
      date: dataDate,
      dayOfFiles: dayOf(files),
      dryRun,
      force,
      skipBadRows,
      reading: { ...reading, onHeader: badRowFile?.onHeader },
      onNote: (file, note) => progress.say(`${files[file].name}: ${note}`),
      changes: policy ?? askAboutChanges(signal),
      removals: removalsDecision(allowRemovals, signal),
      isDispensable: isDemonstration,
      signal,
      onBadRow: (badRow, row) => {
        badRows.add(badRow.file, badRow.line, badRow.reason)
        badRowFile?.add(badRow, row)
      },
      watch: {
        onUnits: (rows) => progress.read(rows),
        onIndexing: (rows) => progress.beginIndexing(rows),
        onIndexed: ({ size }) => progress.endIndexing(size),
        onChecked: async (checked) => {
          await reportFindings(checked, input, files.units.name, (message) => progress.say(message))
        },
        onDifference: (difference) => progress.say(describe(difference)),
        onChanges: (overview) => progress.say(describeChanges(overview).join("\n")),
        onRemovals: (verdict) => dryRun && !verdict.isAllowed && progress.say(describeRemovals(verdict)),
        onPublishing: (done_bytes, total_bytes) => progress.publish(done_bytes, total_bytes),
        onWait: (reason) => progress.say(`waiting for the database: ${printable(reason)}`),
        onLeftOver: (reason) => progress.say(`warning: older editions stay until the next import: ${printable(reason)}`)
      }
    })
    await badRowFile?.finish(() => readFile(files.units, signal), reading)
    badRows.sayReasons()
    if (result.outcome === "refused") throw new CommandFailure(`${path} was not imported: ${badRows.summary()}`)
    progress.say(conclude(result, badRows.summary()))
    return result
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error
    const reason = printable(error.message)
    if (!(error instanceof ImportInDoubt)) throw new CommandFailure(`${path} was not imported: ${reason}`)
    // A failure after an interruption is not reported: it would suggest that nothing had changed.
    if (signal.aborted) progress.say(`warning: ${reason}`)
    throw new CommandFailure(reason)
  } finally {
    progress.clear()
    badRowFile?.close()
  }
}

const inputOf = (files: InputFiles, signal: AbortSignal, progress: ImportProgress) => ({
  places: () => readFile(files.places, signal, { onNote: (note) => progress.say(`${files.places.name}: ${note}`) }),
  units: () =>
    readFile(files.units, signal, {
      onNote: (note) => progress.say(`${files.units.name}: ${note}`),
      onShare: (share) => progress.readShare(share)
    })
})

const describe = (difference: DirectoryDifference): string =>
  `changes: ${kinds.map((kind) => `${grouped(difference[kind])} ${kind}`).join(", ")}`

const kinds = ["added", "moved", "retired", "reactivated", "removed", "unchanged"] as const

const conclude = (result: Done, badRows: string): string => {
  if (result.outcome === "unchanged") {
    return `edition ${result.edition} was made from these files and is current: nothing to do without --force`
  }
  const leftOut = result.badRows === 0 ? "" : `${badRows} left out; `
  return result.outcome === "checked"
    ? `${leftOut}nothing was written`
    : `${leftOut}edition ${result.edition} is current${describeCarried(result.carried)}`
}

const summarize = (result: Done) => ({
  outcome: result.outcome,
  edition: "edition" in result ? result.edition : null,
  data_version: result.version,
  data_date: result.date,
  ...(result.outcome !== "unchanged" && {
    units: result.units,
    active_units: result.activeUnits,
    bad_rows: result.badRows,
    changes: result.difference,
    ...changedUnits(result),
    ...(result.outcome === "checked" && !result.removals.isAllowed && { allow_removals: result.removals.count })
  })
})

/** What became, or would become, of the units that were changed since the last import. */
const changedUnits = (
  result: Exclude<Done, { readonly outcome: "unchanged" }>
): { readonly changed_units?: Readonly<Record<string, number>> } => {
  if (result.outcome === "imported") return result.carried ? { changed_units: { ...result.carried } } : {}
  if (result.changes === undefined) return {}
  const { contained, superseded, undone } = result.changes
  return { changed_units: { contained, undone, superseded } }
}

type Summary = ReturnType<typeof summarize>

const fields: View<Summary> = {
  outcome: "outcome",
  edition: "edition",
  "data version": "data_version",
  "data date": "data_date",
  units: ({ units }) => optional(units),
  active: ({ active_units }) => optional(active_units),
  "bad rows": ({ bad_rows }) => optional(bad_rows),
  ...Object.fromEntries(kinds.map((kind) => [kind, ({ changes }: Summary) => optional(changes?.[kind])])),
  "changed before": ({ changed_units }) => changed_units && describeCounts(changed_units),
  "needs --allow-removals": ({ allow_removals }) => allow_removals && String(allow_removals)
}

const optional = (count: number | undefined): string | undefined => (count === undefined ? undefined : grouped(count))
