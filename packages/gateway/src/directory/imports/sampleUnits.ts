/** The first units of a file, as they would be read. */
import { CsvReader, DirectoryReader, type ReadingOptions } from "@postcode/core/Csv"

const maxRows = 10
/** A file whose first rows are all bad is not read to its end. */
const max_bytes = 4 * 2 ** 20

/** At most ten rows, each with the columns of `unitColumns`. */
export const sampleUnits = async (
  units: AsyncIterable<Uint8Array>,
  reading: Omit<ReadingOptions, "onHeader"> = {}
): Promise<ReadonlyArray<ReadonlyArray<string>>> => {
  const reader = new DirectoryReader({ ...reading, skipBadRows: true, keepsRow: (row) => row < maxRows })
  let read_bytes = 0
  for await (const bytes of units) {
    reader.writeUnits(bytes)
    read_bytes += bytes.length
    if (reader.unitRows >= maxRows || read_bytes > max_bytes) break
  }
  reader.end()
  const rows: Array<ReadonlyArray<string>> = []
  const csv = new CsvReader({ onRow: ({ fields }) => rows.push(fields), onMalformed: () => {} })
  csv.write(reader.takeUnitsCsv())
  csv.end()
  return rows
}
