/** The two files of a directory, as byte streams of CSV: plain, gzipped, or sheets of workbooks. */
import { readdir, stat } from "node:fs/promises"
import { basename, join } from "node:path"
import { commandName } from "../process/CommandName.ts"
import { CommandFailure, exitCodes } from "../process/ExitCode.ts"
import { say } from "../process/Output.ts"
import { type InputBytes, openInput } from "./InputBytes.ts"

/** A file in its folder. */
export interface InputFile {
  /** In messages: that of the file, with the sheet if one is named. */
  readonly name: string
  readonly path: string
  readonly modified_ms: number
  /** Of a workbook. Default: the only one with rows. */
  readonly sheet?: string | undefined
}

/** The two files of a directory. */
export interface InputFiles {
  readonly places: InputFile
  readonly units: InputFile
}

/**
 * Finds both files in a folder, or in a workbook with the sheets `places` and `units`.
 *
 * @param sheet of the units, if they are in a workbook
 */
export const findFiles = async (folder: string, sheet?: string): Promise<InputFiles> => {
  const stats = await stat(folder).catch(() => undefined)
  if (stats?.isFile() && /\.xls[xm]$/i.test(folder)) {
    const ofUnits = await checkSheets(folder, sheet)
    const file = { name: basename(folder), path: folder, modified_ms: stats.mtimeMs }
    return { places: sheetIn(file, "places"), units: sheetIn(file, ofUnits) }
  }
  const units = await findFile(folder, "units")
  return {
    places: await findFile(folder, "places"),
    units: sheet !== undefined && /\.xls[xm]$/i.test(units.name) ? sheetIn(units, sheet) : units
  }
}

const sheetIn = (file: InputFile, sheet: string): InputFile => ({
  ...file,
  name: `${file.name} (sheet ${sheet})`,
  sheet
})

/**
 * A workbook in place of the folder has a sheet for each file. Returns the name of that of the units: if there are two
 * sheets, and one has the places, it is the other.
 */
const checkSheets = async (path: string, given: string | undefined): Promise<string> => {
  const { sheetNames } = await import("../workbook/workbookCsv.ts")
  const names = await sheetNames(path)
  const folded = names.map((name) => name.trim().toLowerCase())
  const other = names.length === 2 ? names[1 - folded.indexOf("places")] : undefined
  const wanted = given ?? (folded.includes("units") ? "units" : other) ?? "units"
  const missing = ["places", wanted].filter((name) => !folded.includes(name.trim().toLowerCase()))
  if (names.length === 0 || missing.length === 0) return wanted
  const shown = names.map((name) => JSON.stringify(name)).join(", ")
  const others = names.length === 1 ? "its only sheet is" : "its sheets are"
  throw new CommandFailure(
    `${path}: the workbook has no sheet ${missing.join(" and no sheet ")}; ${others} ${shown}: name the sheet of the units ` +
      "with --sheet, and call that of states and LGAs places; or put both files into a folder",
    exitCodes.wrongUsage
  )
}

/** The date of the newer file, such as `2026-01-31`. */
export const dayOf = ({ places, units }: InputFiles): string =>
  new Date(Math.max(places.modified_ms, units.modified_ms)).toISOString().slice(0, 10)

/** What a reader of a file hears of. */
export interface ReadingWatch {
  /** Called with the fraction of the file that has been read, from 0 to 1. */
  readonly onShare?: (share: number) => void
  /** Called with what the user should know of the file. */
  readonly onNote?: (note: string) => void
}

/** Reads a file as CSV, decompressed. A chunk is valid until the next one is requested. */
export async function* readFile(
  { path, sheet }: InputFile,
  signal: AbortSignal,
  { onNote, onShare = () => {} }: ReadingWatch = {}
): AsyncGenerator<Uint8Array> {
  const { chunks, share } = isGeoJsonName(path)
    ? await openGeoJson(path, onNote)
    : await openInput(path, { sheet, onNote })
  try {
    for await (const chunk of chunks) {
      signal.throwIfAborted()
      onShare(share())
      yield chunk
    }
  } catch (error) {
    throw error instanceof CommandFailure ? new CommandFailure(`${path}: ${error.message}`, error.exitCode) : error
  }
}

/** A file that is read twice. */
const openGeoJson = async (path: string, onNote: ReadingWatch["onNote"]): Promise<Omit<InputBytes, "name">> => {
  const { geoJsonCsv } = await import("../geojson/geoJsonCsv.ts")
  let passes = 0
  let share = () => 0
  const open = async () => {
    const input = await openInput(path, passes === 0 ? { onNote } : {})
    const before = passes++ / 2
    share = () => before + input.share() / 2
    return input.chunks
  }
  return { chunks: geoJsonCsv(open), share: () => share() }
}

/** The names of files of GeoJSON: a collection, or a feature on each line. */
const isGeoJsonName = (name: string): boolean => /\.(geojson|geojsonl|geojsons|ndjson|json)(\.gz)?$/i.test(name)

const findFile = async (folder: string, name: string): Promise<InputFile> => {
  const names = await readdir(folder).catch(() => [])
  const isWanted = (given: string) => name === "units" || !isGeoJsonName(given)
  const isNamed = (given: string) => endings.some((ending) => given.toLowerCase() === name + ending)
  const exact = await filesOf(folder, name, names.filter(isWanted).filter(isNamed))
  // A browser or a system that has the name already adds to it.
  const copies = names.filter(isWanted).filter((given) => !isNamed(given) && isNamed(withoutAddition(given)))
  const found = exact.length > 0 ? exact : await filesOf(folder, name, copies)
  const [first, second] = found
  if (first === undefined) throw new CommandFailure(await explainMissing(folder, name))
  if (second !== undefined && exact.length === 0) {
    const shown = found.map((file) => file.name).join(", ")
    throw new CommandFailure(`${folder} has no ${name}.csv, but ${shown}: name the one to read ${name}.csv`)
  }
  if (second !== undefined) say(`reading ${first.path}; ${second.name} is ignored`)
  else if (exact.length === 0) say(`reading ${first.path} as ${name}.csv`)
  return first
}

const filesOf = async (
  folder: string,
  name: string,
  candidates: ReadonlyArray<string>
): Promise<ReadonlyArray<InputFile>> => {
  const found: Array<InputFile> = []
  // Exactly this name first, in case that two differ only in case.
  const sorted = candidates.toSorted(
    (a, b) => Number(b.startsWith(name)) - Number(a.startsWith(name)) || rankOf(a) - rankOf(b)
  )
  for (const candidate of sorted) {
    const path = join(folder, candidate)
    const stats = await stat(path).catch(() => undefined)
    if (stats?.isFile()) found.push({ name: candidate, path, modified_ms: stats.mtimeMs })
  }
  return found
}

/** `units (1).csv`, `units - Copy.csv`, `units-2.csv`, `units.csv.txt` → `units.csv`. */
const withoutAddition = (name: string): string =>
  name
    .replace(/(?<=\.(csv|tsv))\.(txt|csv)$/i, "")
    .replace(/^(units|places)( - copy| copy)?( ?\(\d+\)|[ -]\d+)?(?=\.)/i, "$1")

/** In the order of preference. */
const endings = [
  ...[".csv", ".csv.gz", ".tsv", ".txt", ".xlsx", ".xlsm"],
  ...[".geojson", ".geojsonl", ".geojsons", ".ndjson", ".json"].flatMap((ending) => [ending, `${ending}.gz`])
]

const rankOf = (name: string): number => endings.findIndex((ending) => name.toLowerCase().endsWith(ending))

const maxListed = 10

const explainMissing = async (folder: string, name: string): Promise<string> => {
  const stats = await stat(folder).catch(() => undefined)
  if (stats === undefined) {
    if (folder.endsWith(".snapshot"))
      return `there is no file ${folder}: expected a snapshot, or a folder with places.csv and units.csv`
    return `there is no folder ${folder}: ${commandName()} demo ${folder} writes a demonstration directory`
  }
  if (!stats.isDirectory()) return `${folder} is a file: expected a folder with places.csv and units.csv`
  const names = (await readdir(folder).catch(() => [])).sort()
  const shown = names.slice(0, maxListed).join(", ") + (names.length > maxListed ? " …" : "")
  const others = names.length === 0 ? "it is empty" : `it has ${shown}`
  return `${folder} has no ${name}.csv, .xlsx or .geojson: expected a folder with places.csv and units.csv; ${others}`
}
