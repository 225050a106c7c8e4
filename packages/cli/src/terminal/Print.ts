/** One result, as JSON or as text for people. */

import { host } from "@postcode/server/process/Host"
import { say, style, writeData, writeJson } from "@postcode/server/process/Output"
import { Effect } from "effect"
import { type Layout, record, table, type View } from "./Table.ts"

export interface PrintOptions {
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
  json ? writeJson(data) : writeData(recordText(fields, data))

/** A record as standard output shows it. */
export const recordText = <A>(fields: View<A>, data: A): string => record(fields, data, layout())

/** A table as standard output shows it: as wide as the terminal at most. */
export const tableText = <Row>(columns: View<Row>, rows: ReadonlyArray<Row>): string => table(columns, rows, layout())

const layout = (): Layout => {
  const { stdout } = host()
  return {
    width: stdout.isTTY === true ? stdout.columns : undefined,
    emphasize: (text) => style("bold", text, stdout)
  }
}

/** Prints the rows of a result as a table. */
export const printTable = <Row>(
  { json }: PrintOptions,
  data: unknown,
  rows: ReadonlyArray<Row>,
  { columns, empty }: RowsText<Row>
): Effect.Effect<void> => {
  if (json) return writeJson(data)
  return rows.length === 0 ? Effect.sync(() => say(empty)) : writeData(tableText(columns, rows))
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
