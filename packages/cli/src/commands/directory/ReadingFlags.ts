/** Flags that say how the files of a directory are written, where the files do not show it. */
import { readFile } from "node:fs/promises"
import { type ColumnMapping, type MendedRows, placeColumns, readMendedRows, unitColumns } from "@postcode/core/Csv"
import { openInput } from "@postcode/server/directory/InputBytes"
import { locateState } from "@postcode/server/directory/locateState"
import { CommandFailure, exitCodes } from "@postcode/server/process/ExitCode"
import { Result } from "effect"
import { delimiterOf, type FormFlags } from "../../csv/Delimiter.ts"
import { optionalText, type Reader, repeatedFlag } from "../../Parameters.ts"
import { formFlags } from "../CommonFlags.ts"

type Pair = readonly [column: string, name: string]

const pair: Reader<Pair> = (given) => {
  const at = given.indexOf("=")
  const column = given.slice(0, at).trim()
  const name = given.slice(at + 1).trim()
  return at > 0 && name !== "" && isColumn(column)
    ? Result.succeed([column, name])
    : Result.fail(`a column and its name in the file, such as lat=Latitude; columns: ${mappedColumns.join(", ")}`)
}

/** Those of the units, and those of the places, which have other names. */
const mappedColumns: ReadonlyArray<string> = [...unitColumns, ...placeColumns]

const isColumn = (name: string): boolean => mappedColumns.includes(name)

/** The flags. */
export const readingFlags = {
  column: repeatedFlag("column", {
    read: pair,
    metavar: "COLUMN=NAME",
    description:
      "Where a file has a column, by the header's name or number, such as lat=Latitude; code, name and zone are those of places"
  }),
  mapping: optionalText("mapping", "FILE", "A file with such lines COLUMN=NAME, or a JSON object of them"),
  mended: optionalText(
    "mended",
    "FILE",
    "Rows that --bad-rows wrote and you mended: each is read in place of the row on its line of units.csv"
  ),
  ...formFlags
}

/** The values of the flags. */
export interface ReadingFlags extends FormFlags {
  readonly column: ReadonlyArray<Pair>
  readonly mapping: string | undefined
  readonly mended: string | undefined
}

/** The options of a reader. `--column` comes before the file. */
export const readingOf = async ({ column, delimiter, mapping: file, mended, skipLines }: ReadingFlags) => {
  const mapping = { ...(file === undefined ? {} : await readMapping(file)), ...Object.fromEntries(column) }
  return {
    mapping,
    delimiter: delimiter && delimiterOf(delimiter),
    skipLines,
    locate: locateState,
    ...(mended !== undefined && { mendedRows: await readMended(mended, mapping) })
  }
}

const readMended = async (path: string, mapping: ColumnMapping): Promise<MendedRows> => {
  const { chunks } = await openInput(path)
  const read = await readMendedRows(chunks, mapping)
  if (read.ok) return read.rows
  throw new CommandFailure(`--mended: ${path}: ${read.fault}`)
}

const readMapping = async (path: string): Promise<ColumnMapping> => {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailure(`--mapping: ${path} cannot be read: ${error.code}`, exitCodes.wrongUsage)
  })
  const pairs = text.trimStart().startsWith("{") ? pairsOfJson(path, text) : text.split(/\r?\n/).filter(isPair)
  return Object.fromEntries(
    pairs.map((line) => {
      const read = pair(line)
      if (Result.isFailure(read)) {
        throw new CommandFailure(`--mapping: ${path} has ${line}: expected ${read.failure}`, exitCodes.wrongUsage)
      }
      return read.success
    })
  )
}

const isPair = (line: string): boolean => line.trim() !== "" && !line.trim().startsWith("#")

const pairsOfJson = (path: string, text: string): ReadonlyArray<string> => {
  try {
    const entries = Object.entries(JSON.parse(text) as Readonly<Record<string, unknown>>)
    return entries.map(([column, name]) => `${column}=${String(name)}`)
  } catch {
    throw new CommandFailure(`--mapping: ${path} is no JSON object`, exitCodes.wrongUsage)
  }
}
