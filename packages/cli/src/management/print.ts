/** What the API returns, as JSON or as text for people. */
import type { DataOf, InputOf, Route } from "@postcode/client"
import { Effect } from "effect"
import type { CommandFailure } from "../ExitCode.ts"
import { say, writeData, writeJson } from "../Output.ts"
import { columnsOf, fieldsOf, record, table, type View } from "../Table.ts"
import { type ManagementOptions, request } from "./connect.ts"

/** How rows are shown. */
export interface RowsText<Row> {
  readonly columns: View<Row>
  /** The message if there are none. */
  readonly empty: string
}

/** Calls the service and prints its response field by field. */
export const printResponse = <R extends Route>(
  options: ManagementOptions,
  route: R,
  input: InputOf<R>,
  fields: View<DataOf<R>>
): Effect.Effect<void, CommandFailure> =>
  Effect.flatMap(request(options, route, input), (data) => printRecord(options, data, fields))

/** Prints a record field by field. */
export const printRecord = <A>({ json }: ManagementOptions, data: A, fields: View<A>): Effect.Effect<void> =>
  json ? writeJson(data) : writeData(record(fieldsOf(fields, data)))

/** Prints rows as a table. */
export const printRows = <Row>(rows: ReadonlyArray<Row>, { columns, empty }: RowsText<Row>): Effect.Effect<void> =>
  rows.length === 0 ? Effect.sync(() => say(empty)) : writeData(table(columnsOf(columns), rows))

/** Prints a secret that no other response contains: it alone goes to standard output. */
export const printSecret = (
  { json }: ManagementOptions,
  data: object,
  message: string,
  secret: string
): Effect.Effect<void> => {
  if (json) return writeJson(data)
  say(message)
  return writeData(`${secret}\n`)
}
