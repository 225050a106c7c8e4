/**
 * Adds columns to a CSV file whose rows are copied byte by byte. The added values come from a directory or a service, so
 * formulas in them are escaped. The cells of the file are not changed.
 */
import { type CsvRow, type CsvValue, csvCell, csvRow } from "@postcode/core/Csv"
import { encoded, fieldsOf } from "./ByteText.ts"

/** The header with further columns, as byte text. */
export const headerWith = (header: CsvRow, added: ReadonlyArray<string>): string =>
  rowWith(header, 0, namesIn(header, added))

/** What a user should know of the added columns: which ones have another name, since the header has theirs already. */
export const renamedIn = (header: CsvRow, added: ReadonlyArray<string>): ReadonlyArray<string> => {
  const names = namesIn(header, added)
  return added.flatMap((name, at) =>
    names[at] === name ? [] : [`there is a column ${name} already: the added one is called ${names[at]}`]
  )
}

/** The names of columns added to a header. If a name is taken, the first free number is appended: `status_2`. */
const namesIn = (header: CsvRow, added: ReadonlyArray<string>): ReadonlyArray<string> => {
  const taken = new Set(fieldsOf(header).map((name) => name.trim().toLowerCase()))
  return added.map((name) => freeName(name, taken))
}

/** A row with further fields, as byte text. The row lacks `missing` fields of the header. */
export const rowWith = (
  { delimiter, lineEnd, text }: CsvRow,
  missing: number,
  added: ReadonlyArray<CsvValue>
): string => text + delimiter.repeat(missing + 1) + encoded(csvRow(added.map(csvCell), delimiter)) + lineEnd

/** A line that is not a row of the file, whole in the first of `width` columns, with further fields. */
export const faultWith = (
  { delimiter, lineEnd, text }: CsvRow,
  width: number,
  added: ReadonlyArray<CsvValue>
): string =>
  csvRow(
    [text, ...new Array<string>(width - 1).fill(""), ...added.map((value) => encoded(csvCell(value)))],
    delimiter
  ) + lineEnd

const freeName = (name: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(name)) return name
  for (let number = 2; ; number++) if (!taken.has(`${name}_${number}`)) return `${name}_${number}`
}
