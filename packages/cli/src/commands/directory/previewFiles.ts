/** `postcode import --preview`: shows how the files of a directory would be read. It changes nothing. */
import { type ColumnMapping, DirectoryReader, unreadColumns } from "@postcode/core/Csv"
import { reportBadRows } from "@postcode/server/directory/BadRowReport"
import { reportFindings } from "@postcode/server/directory/DirectoryReport"
import { findFiles, readFile } from "@postcode/server/directory/InputFiles"
import { CommandFailure } from "@postcode/server/process/ExitCode"
import { printable, say } from "@postcode/server/process/Output"
import { counted } from "@postcode/server/process/Progress"
import { tableText } from "../../terminal/Print.ts"
import type { CheckFlags } from "./CheckFlags.ts"
import { readingOf } from "./ReadingFlags.ts"

/** What the files are read as. */
export interface Preview {
  /** The header's names by the columns of `units.csv`. */
  readonly columns: ColumnMapping
  /** Columns of the file that are not read. */
  readonly not_read: ReadonlyArray<string>
  /** The first rows, with the columns of `units.csv`. */
  readonly rows: ReadonlyArray<string>
  readonly units: number
  readonly bad_rows: number
  readonly warnings: Readonly<Record<string, number>>
}

const shownRows = 10

export const previewFiles = async (folder: string, flags: CheckFlags, signal: AbortSignal): Promise<Preview> => {
  const files = await findFiles(folder, flags.sheet)
  const badRows = reportBadRows(files, { say })
  let columns: ColumnMapping = {}
  let notRead: ReadonlyArray<string> = []
  const reader = new DirectoryReader({
    ...(await readingOf(flags)),
    checksAddresses: true,
    skipBadRows: true,
    keepsRow: (row) => row < shownRows,
    onNote: (file, note) => say(`${files[file].name}: ${note}`),
    onHeader: (file, found, header) => {
      if (file === "units") [columns, notRead] = [found, unreadColumns(found, header)]
    },
    onBadRow: ({ file, line, reason }) => badRows.add(file, line, reason)
  })
  const watchOf = (file: keyof typeof files) => ({ onNote: (note: string) => say(`${files[file].name}: ${note}`) })
  for await (const bytes of readFile(files.places, signal, watchOf("places"))) reader.writePlaces(bytes)
  for await (const bytes of readFile(files.units, signal, watchOf("units"))) reader.writeUnits(bytes)
  reader.end()
  const rows = Buffer.from(reader.takeUnitsCsv()).toString("utf8")
  const read = reader.finish()
  badRows.sayReasons()
  if (!read.ok) throw new CommandFailure(`${folder} cannot be read: ${badRows.summary()}`)
  if (read.badRows > 0) say(badRows.summary())
  const warnings = await reportFindings(read, flags, files.units.name, say)
  return {
    columns,
    not_read: notRead,
    rows: rows.split("\n").slice(0, -1),
    units: read.directory.size,
    bad_rows: read.badRows,
    warnings
  }
}

/** A preview for people. */
export const previewText = ({ bad_rows, columns, not_read, rows, units, warnings }: Preview): string => {
  const named = Object.entries(columns).map(([column, name]) => ({ column, name: printable(name) }))
  const others = not_read.length === 0 ? [] : [`not read: ${printable(not_read.join(", "))}`, ""]
  const count = Object.values(warnings).reduce((sum, number) => sum + number, 0)
  return [
    tableText({ COLUMN: "column", "IN THE FILE": "name" }, named),
    ...others,
    ...rows,
    `${counted(units, "unit")}, ${counted(bad_rows, "bad row")}, ${counted(count, "warning")}; nothing was changed`,
    ""
  ].join("\n")
}
