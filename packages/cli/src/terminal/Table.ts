/** Aligned columns for people. Programs use `--json`. */
import { stripVTControlCharacters } from "node:util"
import { printable } from "@postcode/server/process/Output"
import { localTime } from "./LocalTime.ts"

type Value = string | number | null | undefined

type FieldOf<Row> =
  | ({ [Name in keyof Row]-?: Row[Name] extends Value ? Name : never }[keyof Row] & string)
  | ((row: Row) => Value)

/** What is shown of a row, by its title: a field, or a function of the row. Numbers are right-aligned in tables. */
export type View<Row> = Readonly<Record<string, FieldOf<Row> | { readonly right: FieldOf<Row> }>>

/** How wide a table may be, and whether its titles are emphasized. */
export interface Layout {
  /** In characters; undefined for any. */
  readonly width?: number | undefined
  readonly emphasize?: ((text: string) => string) | undefined
}

interface Column {
  readonly title: string
  readonly cells: ReadonlyArray<string>
  readonly isRight: boolean
  readonly width: number
}

/**
 * The titles and the rows, one per line. A column that is empty in every row is omitted. Where the table would be too
 * wide, long texts are cut; ids, codes and times are not: if they need more room, each row is a record.
 */
export const table = <Row>(view: View<Row>, rows: ReadonlyArray<Row>, layout: Layout = {}): string => {
  const columns = fitted(columnsOf(view, rows), layout.width)
  if (columns === undefined) return rows.map((row) => record(view, row, layout)).join("\n")
  const lineOf = (cell: (column: Column) => string) =>
    columns
      .map((column) => pad(cut(cell(column), column.width), column.width, column.isRight))
      .join("  ")
      .trimEnd()
  const title = lineOf(({ title }) => title)
  const lines = rows.map((_, row) => lineOf(({ cells }) => cells[row] ?? ""))
  return [layout.emphasize?.(title) ?? title, ...lines].map((line) => `${line}\n`).join("")
}

const columnsOf = <Row>(view: View<Row>, rows: ReadonlyArray<Row>): ReadonlyArray<Column> =>
  Object.keys(view)
    .map((title) => ({ title, cells: rows.map((row) => textOf(valueIn(view, title, row))) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""))
    .map((column) => ({
      ...column,
      isRight: typeof view[column.title] === "object",
      width: column.cells.reduce((most, cell) => Math.max(most, width(cell)), column.title.length)
    }))

/** Cuts the widest columns of free text until the table fits; undefined if that is not enough. */
const fitted = (columns: ReadonlyArray<Column>, room: number | undefined): ReadonlyArray<Column> | undefined => {
  let all = columns
  while (room !== undefined && widthOf(all) > room) {
    const [widest] = all.filter(isLongText).toSorted((a, b) => b.width - a.width)
    if (widest === undefined) return undefined
    all = all.map((column) => (column === widest ? { ...column, width: column.width - 1 } : column))
  }
  return all
}

const isLongText = ({ cells, isRight, title, width }: Column): boolean =>
  !isRight && width > Math.max(minTextWidth, title.length) && cells.some((cell) => cell.includes(" ") && !isTime(cell))

const minTextWidth = 12

const isTime = (cell: string): boolean => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d$/.test(cell)

const widthOf = (columns: ReadonlyArray<Column>): number =>
  columns.reduce((sum, column) => sum + column.width + 2, 0) - 2

const cut = (cell: string, to: number): string =>
  width(cell) <= to ? cell : `${[...cell.normalize("NFC")].slice(0, to - 1).join("")}…`

const valueIn = <Row>(view: View<Row>, title: string, row: Row): Value => {
  const shown = view[title] as View<Row>[string]
  const field = typeof shown === "object" ? shown.right : shown
  return typeof field === "function" ? field(row) : (row[field] as Value)
}

const textOf = (value: Value): string => localTime(printable(String(value ?? "")))

/** One record, one field per line; empty fields are omitted. */
export const record = <Row>(view: View<Row>, row: Row, { emphasize = (text) => text }: Layout = {}): string => {
  const known = Object.keys(view)
    .map((name) => [name, textOf(valueIn(view, name, row))] as const)
    .filter(([, value]) => value !== "")
  const widest = known.reduce((most, [name]) => Math.max(most, name.length), 0)
  return known.map(([name, value]) => `${emphasize(name)}${" ".repeat(widest - name.length)}  ${value}\n`).join("")
}

const pad = (cell: string, to: number, isRight: boolean): string => {
  const gap = " ".repeat(Math.max(0, to - width(cell)))
  return isRight ? gap + cell : cell + gap
}

/** The number of characters. Double-width characters do not occur in Nigerian names. */
const width = (text: string): number => [...stripVTControlCharacters(text).normalize("NFC")].length
