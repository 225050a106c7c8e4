/** Aligned columns for people. Programs use `--json`. */
import { stripVTControlCharacters } from "node:util"
import { printable } from "./Output.ts"

type Value = string | number | null | undefined

type FieldOf<Row> =
  | ({ [Name in keyof Row]-?: Row[Name] extends Value ? Name : never }[keyof Row] & string)
  | ((row: Row) => Value)

/** What is shown of a row, by its title: a field, or a function of the row. Numbers are right-aligned in tables. */
export type View<Row> = Readonly<Record<string, FieldOf<Row> | { readonly right: FieldOf<Row> }>>

/** The titles and the rows, one per line. A column that is empty in every row is omitted. */
export const table = <Row>(view: View<Row>, rows: ReadonlyArray<Row>): string => {
  const filled = Object.keys(view)
    .map((title) => ({ title, cells: rows.map((row) => printable(String(valueIn(view, title, row) ?? ""))) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""))
    .map(({ cells, title }) => {
      const widest = cells.reduce((most, cell) => Math.max(most, width(cell)), title.length)
      return [title, ...cells].map((cell) => pad(cell, widest, typeof view[title] === "object"))
    })
  return ["", ...rows]
    .map(
      (_, line) =>
        `${filled
          .map((cells) => cells[line])
          .join("  ")
          .trimEnd()}\n`
    )
    .join("")
}

const valueIn = <Row>(view: View<Row>, title: string, row: Row): Value => {
  const shown = view[title] as View<Row>[string]
  const field = typeof shown === "object" ? shown.right : shown
  return typeof field === "function" ? field(row) : (row[field] as Value)
}

/** One record, one field per line; empty fields are omitted. */
export const record = <Row>(view: View<Row>, row: Row): string => {
  const known = Object.keys(view)
    .map((name) => [name, valueIn(view, name, row) ?? ""] as const)
    .filter(([, value]) => value !== "")
  const widest = known.reduce((most, [name]) => Math.max(most, name.length), 0)
  return known.map(([name, value]) => `${name.padEnd(widest)}  ${printable(String(value))}\n`).join("")
}

const pad = (cell: string, to: number, isRight: boolean): string => {
  const gap = " ".repeat(Math.max(0, to - width(cell)))
  return isRight ? gap + cell : cell + gap
}

/** The number of characters. Double-width characters do not occur in Nigerian names. */
const width = (text: string): number => [...stripVTControlCharacters(text).normalize("NFC")].length
