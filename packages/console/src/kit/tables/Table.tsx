import type { ComponentChildren } from "preact"
import { Loading } from "../feedback/Loading.tsx"

/** A column: its name, and what stands in it for a row. */
export interface Column<Row> {
  readonly head: string
  readonly cell: (row: Row) => ComponentChildren
  /** For numbers, which are compared from the right. */
  readonly isNumber?: boolean
}

export interface TableProps<Row> {
  /** What the table lists, for whoever does not see what stands above it. */
  readonly caption: string
  /** The first one names the row. */
  readonly columns: ReadonlyArray<Column<Row>>
  /** Undefined while they are loaded for the first time. */
  readonly rows: ReadonlyArray<Row> | undefined
  readonly keyOf: (row: Row) => string
  /** What to say, and to do next, where there are none. */
  readonly empty: ComponentChildren
  /** Whether other rows are on their way. */
  readonly isLoading?: boolean
}

/** A table; on narrow screens a card for each row, with the columns' names beside the cells. */
export const Table = <Row,>({ caption, columns, empty, isLoading = false, keyOf, rows }: TableProps<Row>) => {
  if (rows === undefined) return isLoading ? <Loading /> : null
  if (rows.length === 0) return <div class="empty">{empty}</div>
  const [first, ...rest] = columns
  return (
    <div class="table" aria-busy={isLoading}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ head, isNumber }) => (
              <th key={head} scope="col" data-head={head} class={isNumber ? "number" : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {first && <th scope="row">{first.cell(row)}</th>}
              {rest.map(({ cell, head, isNumber }) => (
                <td key={head} data-head={head} class={isNumber ? "number" : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
