/** One result, as JSON or as text for people. */
import { Effect } from "effect"
import { say, writeData, writeJson } from "./Output.ts"
import { record, table, type View } from "./Table.ts"

interface PrintOptions {
  /** Whether to print JSON. */
  readonly json: boolean
}

/** How rows are shown. */
export interface RowsText<Row> {
  readonly columns: View<Row>
  /** The message if there are none. */
  readonly empty: string
}

/** Prints a record field by field. */
export const printRecord = <A>({ json }: PrintOptions, data: A, fields: View<A>): Effect.Effect<void> =>
  json ? writeJson(data) : writeData(record(fields, data))

/** Prints the rows of a result as a table. */
export const printTable = <Row>(
  { json }: PrintOptions,
  data: unknown,
  rows: ReadonlyArray<Row>,
  { columns, empty }: RowsText<Row>
): Effect.Effect<void> => {
  if (json) return writeJson(data)
  return rows.length === 0 ? Effect.sync(() => say(empty)) : writeData(table(columns, rows))
}

/** Prints a secret that no other response contains: it alone goes to standard output. */
export const printSecret = (
  { json }: PrintOptions,
  data: object,
  message: string,
  secret: string
): Effect.Effect<void> => {
  if (json) return writeJson(data)
  say(message)
  return writeData(`${secret}\n`)
}
