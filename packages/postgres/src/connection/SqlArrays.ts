/** Arrays as parameters of statements: one array per column, so that one statement takes many rows. */
import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"

/**
 * One column of some rows.
 *
 * @param type the column's type, from `PgTypes.OID`
 * @throws the driver's error if a value does not fit the type, which is a bug
 */
export const columnOf = <Row>(
  type: number,
  rows: ReadonlyArray<Row>,
  fieldOf: (row: Row) => unknown
): PgTypes.Parameter => Result.getOrThrow(PgTypes.array(rows.map(fieldOf), type))

export const textArray = (texts: ReadonlyArray<string>): PgTypes.Parameter =>
  columnOf(PgTypes.OID.text, texts, (text) => text)
