/** CSV files for spreadsheets. */
import { type CsvValue, csvCell, csvRow } from "@postcode/core/Csv"

/** Title and value of a column. */
export type CsvColumn<Row> = readonly [string, (row: Row) => CsvValue]

/** Columns for rows with the same field names. */
export const csvFields = <const Name extends string>(
  ...names: ReadonlyArray<Name>
): ReadonlyArray<CsvColumn<{ readonly [N in Name]?: CsvValue }>> => names.map((name) => [name, (row) => row[name]])

/** The line of the titles, or of a row. */
export const tableLine = <Row>(columns: ReadonlyArray<CsvColumn<Row>>, row?: Row): string =>
  `${csvRow(columns.map(([name, read]) => csvCell(row === undefined ? name : read(row))))}\r\n`

/** @param name of the file, without its extension */
export const saveCsv = (name: string, lines: ReadonlyArray<string>): void => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([...lines], { type: "text/csv;charset=utf-8" }))
  link.download = `${name}.csv`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
