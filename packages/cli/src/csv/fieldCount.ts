/** Rows with another number of fields than the header. */
import { CsvRow, csvRow, lengthWithoutSurplus } from "@postcode/core/Csv"

/** A row without empty fields beyond the columns of the header; the row itself if it has none, or if one is not empty. */
export const withoutSurplus = (row: CsvRow, columns: number): CsvRow => {
  const { delimiter, fields, hasQuotes, line, lineEnd, text } = row
  if (fields.length <= columns || lengthWithoutSurplus(fields, columns) > columns) return row
  const kept = fields.slice(0, columns)
  if (hasQuotes) return new CsvRow(csvRow(kept, delimiter), line, lineEnd, delimiter, kept)
  return new CsvRow(text.slice(0, kept.join(delimiter).length), line, lineEnd, delimiter)
}

/** `1 field`, `3 fields`. */
export const fieldCount = (count: number): string => (count === 1 ? "1 field" : `${count} fields`)

/** Adds the most likely reason if there are too many. */
export const otherFieldCount = (count: number, expected: number): string =>
  `the row has ${fieldCount(count)} where ${expected} ${expected === 1 ? "is" : "are"} expected` +
  (count > expected ? ": perhaps one contains the delimiter and is not in quotes" : "")
