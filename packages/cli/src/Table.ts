/** Aligned columns for people. Programs use `--json`. */
import { stripVTControlCharacters } from "node:util"
import { printable } from "./Output.ts"

/** A column: its title, and its value in a row. */
export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => string | number | undefined
  /** Numbers are right-aligned. */
  readonly align?: "right"
}

type Value = string | number | null | undefined

type FieldOf<Row> =
  | ({ [Name in keyof Row]-?: Row[Name] extends Value ? Name : never }[keyof Row] & string)
  | ((row: Row) => Value)

/** What is shown of a row, by its title: a field, or a function of the row. */
export type View<Row> = Readonly<Record<string, FieldOf<Row> | { readonly right: FieldOf<Row> }>>

/** A view as columns. */
export const columnsOf = <Row>(view: View<Row>): ReadonlyArray<Column<Row>> =>
  Object.entries(view).map(([title, field]) =>
    typeof field === "object"
      ? { title, cell: (row) => valueIn(field.right, row), align: "right" }
      : { title, cell: (row) => valueIn(field, row) }
  )

/** A view of one row, as the fields of a record. */
export const fieldsOf = <Row>(view: View<Row>, row: Row): Fields =>
  columnsOf(view).map(({ cell, title }) => [title, cell(row)])

const valueIn = <Row>(field: FieldOf<Row>, row: Row): string | number | undefined =>
  (typeof field === "function" ? field(row) : (row[field] as Value)) ?? undefined

/** The titles and the rows, one per line. A column that is empty in every row is omitted. */
export const table = <Row>(columns: ReadonlyArray<Column<Row>>, rows: ReadonlyArray<Row>): string => {
  const filled = columns
    .map(({ align, cell, title }) => ({ align, title, cells: rows.map((row) => printable(String(cell(row) ?? ""))) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""))
  const widths = filled.map(({ cells, title }) =>
    cells.reduce((most, cell) => Math.max(most, width(cell)), title.length)
  )
  const line = (cells: ReadonlyArray<string>) =>
    `${cells
      .map((cell, i) => pad(cell, widths[i] as number, filled[i]?.align))
      .join("  ")
      .trimEnd()}\n`
  const titles = line(filled.map(({ title }) => title))
  return titles + rows.map((_, row) => line(filled.map(({ cells }) => cells[row] as string))).join("")
}

type Fields = ReadonlyArray<readonly [name: string, value: string | number | undefined]>

/** One record, one field per line; empty fields are omitted. */
export const record = (fields: Fields): string => {
  const known = fields.filter(([, value]) => value !== undefined && value !== "")
  const widest = known.reduce((most, [name]) => Math.max(most, name.length), 0)
  return known.map(([name, value]) => `${name.padEnd(widest)}  ${printable(String(value))}\n`).join("")
}

const pad = (cell: string, to: number, align: "right" | undefined): string => {
  const gap = " ".repeat(Math.max(0, to - width(cell)))
  return align === "right" ? gap + cell : cell + gap
}

/** The number of characters. Double-width characters do not occur in Nigerian names. */
const width = (text: string): number => [...stripVTControlCharacters(text).normalize("NFC")].length
