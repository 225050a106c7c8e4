/** Lists as parameters of statements: many rows go in one statement, as an array for each column. */
import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"

/**
 * One column of rows.
 *
 * @param type of the column, by its number in `PgTypes.OID`
 * @throws what the driver has against a value, which is a mistake of the program
 */
export const columnOf = <Row>(
  type: number,
  rows: ReadonlyArray<Row>,
  fieldOf: (row: Row) => unknown
): PgTypes.Parameter => Result.getOrThrow(PgTypes.array(rows.map(fieldOf), type))

/** A list of texts. */
export const textArray = (texts: ReadonlyArray<string>): PgTypes.Parameter =>
  columnOf(PgTypes.OID.text, texts, (text) => text)
