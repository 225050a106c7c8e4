import type { ReactNode } from "react"

interface Column<Row> {
  readonly head: string
  readonly cell: (row: Row) => ReactNode
  /** Whether it is numeric, and so right-aligned. */
  readonly isNumber?: boolean
}

interface TableProps<Row> {
  readonly caption: string
  /** The first column is the row's header. */
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly keyOf: (row: Row) => string
}

/** A table whose first column is the row header. */
export const Table = <Row,>({ caption, columns, keyOf, rows }: TableProps<Row>) => {
  const [first, ...rest] = columns
  return (
    <div className="table">
      <table>
        <caption className="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ head, isNumber }) => (
              <th key={head} scope="col" data-head={head} className={isNumber ? "number" : undefined}>
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
                <td key={head} data-head={head} className={isNumber ? "number" : undefined}>
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
