import type { ComponentChildren } from "preact"
import type { Loaded } from "../../hooks/useLoad.ts"
import type { Pages } from "../../hooks/usePages.ts"
import { Loading } from "../feedback/Loading.tsx"
import { ProblemNotice } from "../feedback/ProblemNotice.tsx"
import { Pager } from "./Pager.tsx"

/** A column: its title, and its value in a row. */
export interface Column<Row> {
  readonly head: string
  readonly cell: (row: Row) => ComponentChildren
  /** Whether it is numeric, and so right-aligned. */
  readonly isNumber?: boolean
}

export interface TableProps<Row> {
  /** The accessible name of the table. */
  readonly caption: string
  /** The first column is the row's header. */
  readonly columns: ReadonlyArray<Column<Row>>
  /** Undefined during the first load. */
  readonly rows: ReadonlyArray<Row> | undefined
  readonly keyOf: (row: Row) => string
  /** The text of an empty table, with the next step. */
  readonly empty: ComponentChildren
  /** Whether it may be wider than the screen: then it can be scrolled by keyboard. */
  readonly isWide?: boolean
  /** Where the rows are loaded from: its problem is shown above the table, and its pages below. */
  readonly loaded?: Omit<Loaded<unknown>, "data"> & Partial<Pages<unknown>>
}

/** A table, and the state of its rows. */
export const Table = <Row,>({ loaded, ...table }: TableProps<Row>) => (
  <>
    <ProblemNotice problem={loaded?.problem} {...(loaded && { onRetry: loaded.reload })} />
    <Rows {...table} isLoading={loaded?.isLoading ?? false} />
    {loaded?.page !== undefined && <Pager onNext={loaded.onNext} onPrevious={loaded.onPrevious} page={loaded.page} />}
  </>
)

interface RowsProps<Row> extends Omit<TableProps<Row>, "loaded"> {
  readonly isLoading: boolean
}

/** On narrow screens a card per row, with column titles beside the cells. */
const Rows = <Row,>({ caption, columns, empty, isLoading, isWide, keyOf, rows }: RowsProps<Row>) => {
  if (rows === undefined) return isLoading ? <Loading /> : null
  if (rows.length === 0) return <div class="empty">{empty}</div>
  const [first, ...rest] = columns
  return (
    <div class="table" aria-busy={isLoading} {...(isWide && { tabIndex: 0, role: "region", "aria-label": caption })}>
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
