/** Rows of `units.csv` that were mended in a file of their own, each with the line of the row that it replaces. */
import { CsvTable } from "./CsvTable.ts"
import type { ColumnMapping, TableColumns } from "./columnNames.ts"
import { unitTable } from "./unitTable.ts"

/** The fields of each row in the order of `unitColumns`, by the line. */
export type MendedRows = ReadonlyMap<number, ReadonlyArray<string>>

/** The rows, or the first fault of the file. */
type ReadMendedRows = { readonly ok: true; readonly rows: MendedRows } | { readonly ok: false; readonly fault: string }

const columns: TableColumns = {
  ...unitTable,
  names: [...unitTable.names, "line"],
  required: [...unitTable.required, "line"]
}

/**
 * Reads a file of such rows.
 *
 * @param mapping as for `units.csv`
 */
export const readMendedRows = async (
  file: AsyncIterable<Uint8Array>,
  mapping: ColumnMapping | undefined
): Promise<ReadMendedRows> => {
  const rows = new Map<number, ReadonlyArray<string>>()
  let fault: string | undefined
  const refuse = (line: number, reason: string) => {
    fault ??= `line ${line}: ${reason}`
  }
  const table = new CsvTable(
    columns,
    {
      onRow: () => {
        const fields = [...table.fields()]
        const text = (fields.pop() as string).trim()
        const line = /^\d{1,9}$/.test(text) ? Number(text) : 0
        if (line === 0) refuse(table.line, "line: expected the number of the row's line in the file of units")
        else if (rows.has(line)) refuse(table.line, `line: a row further up has ${line}, too`)
        else rows.set(line, fields)
      },
      onBadRow: refuse
    },
    { mapping }
  )
  for await (const bytes of file) table.write(bytes)
  table.end()
  return fault === undefined ? { ok: true, rows } : { ok: false, fault }
}
