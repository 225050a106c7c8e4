/** The golden vectors of the repository, as the tests of this package read them. */
import { readFileSync } from "node:fs"
import { CsvReader, DirectoryReader } from "@postcode/core/Csv"
import type { Directory } from "@postcode/core/Directory"

/** A file below the folder `vectors`, such as `levels.csv`. */
export const vectorText = (name: string): string =>
  readFileSync(new URL(`../../../vectors/${name}`, import.meta.url), "utf8")

export const vectorJson = <A>(name: string): A => JSON.parse(vectorText(name))

/** The rows of a CSV file, the first of which names the fields. */
export const vectorRows = (name: string): ReadonlyArray<ReadonlyArray<string>> => {
  const rows: Array<ReadonlyArray<string>> = []
  const reader = new CsvReader({
    onRow: ({ fields }) => rows.push(fields),
    onMalformed: ({ line }, reason) => {
      throw new Error(`${name}, line ${line}: ${reason}`)
    }
  })
  reader.write(vectorText(name))
  reader.end()
  return rows
}

/** What a field stands for in which characters are written like `\u00A0`. */
export const unescaped = (field: string): string =>
  field.replace(/\\u([0-9A-F]{4})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))

/** The directory of which a folder holds `places.csv` and `units.csv`. */
export const vectorDirectory = (
  folder: string,
  edition: { readonly version?: string; readonly date?: string } = {}
): Directory => {
  const reader = new DirectoryReader(edition)
  reader.writePlaces(vectorText(`${folder}/places.csv`))
  reader.writeUnits(vectorText(`${folder}/units.csv`))
  const read = reader.finish()
  if (!read.ok) throw new Error(`the directory of ${folder} is malformed`)
  return read.directory
}
