/** Brings a CSV file that a command wrote into a workbook. */
import { type CsvRow, csvCell } from "@postcode/core/Csv"
import { openInput } from "@postcode/server/directory/InputBytes"
import type { WrittenCell } from "@postcode/server/workbook/writeWorkbook"
import { byteTextReader, decoded, fieldsOf } from "./ByteText.ts"

/** What is known of the file. */
export interface WrittenCsv {
  readonly path: string
  readonly delimiter: string
  /** Columns of the input that were numbers in its workbook. */
  readonly numericColumns: ReadonlySet<number>
  /** The number of columns of the input. The command added those after them. */
  readonly width: number
}

/** Whether a name is that of a workbook. */
export const isWorkbookName = (path: string): boolean => /\.xlsx$/i.test(path)

export const csvToWorkbook = async (csv: WrittenCsv, path: string, signal: AbortSignal): Promise<void> => {
  const { writeWorkbook } = await import("@postcode/server/workbook/writeWorkbook")
  await writeWorkbook(rowsOf(csv, signal), path, signal)
}

async function* rowsOf(csv: WrittenCsv, signal: AbortSignal): AsyncGenerator<ReadonlyArray<WrittenCell>> {
  let rows: Array<ReadonlyArray<WrittenCell>> = []
  const added = new Set<number>()
  const onRow = (row: CsvRow) => {
    const fields = fieldsOf(row)
    if (added.size === 0 && fields.length > csv.width) {
      for (const [at, name] of fields.entries()) if (at >= csv.width && isNumeric(name)) added.add(at)
    }
    rows.push(fields.map((field, at) => cellOf(field, at, csv, added)))
  }
  const reader = byteTextReader(
    {
      onRow,
      onMalformed: ({ text }) => rows.push([decoded(text)]),
      onBlankLine: () => rows.push([])
    },
    { delimiter: csv.delimiter }
  )
  const { chunks } = await openInput(csv.path)
  for await (const chunk of chunks) {
    signal.throwIfAborted()
    reader.write(chunk)
    yield* rows
    rows = []
  }
  reader.end()
  yield* rows
}

/** Added columns that are numbers, which may have a number in their name. */
const isNumeric = (name: string): boolean => /^(lat|lon|distance_m|changed)(_\d+)?$/.test(name)

const cellOf = (
  field: string,
  at: number,
  { numericColumns, width }: WrittenCsv,
  added: ReadonlySet<number>
): WrittenCell => {
  if (numericColumns.has(at) || added.has(at)) return String(Number(field)) === field ? Number(field) : field
  // A workbook needs no apostrophe before a text that could be a formula.
  return at >= width && field.startsWith("'") && csvCell(field.slice(1)) === field ? field.slice(1) : field
}
