/** The rows of a CSV file, by the names in its header. */
import { CsvReader } from "@postcode/core/Csv"

export type Row = Readonly<Record<string, string | undefined>>

export const csvRows = (text: string): ReadonlyArray<Row> => {
  const rows: Array<ReadonlyArray<string>> = []
  const reader = new CsvReader({
    onRow: ({ fields }) => rows.push(fields),
    onMalformed: ({ line }, reason) => {
      throw new Error(`line ${line}: ${reason}`)
    }
  })
  reader.write(text)
  reader.end()
  const [names = [], ...rest] = rows
  return rest.map((fields) => Object.fromEntries(names.map((name, i) => [name, fields[i]])))
}
