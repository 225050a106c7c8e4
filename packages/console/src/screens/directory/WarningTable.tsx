import type { DataOf } from "../../client/Contract.ts"
import { Amount, formatAmount } from "../../kit/data/Amount.tsx"
import { Table } from "../../kit/tables/Table.tsx"
import { unitPath } from "./unit/unit.ts"

/** What a look at an edition found, by kind. */
export type Warnings = NonNullable<DataOf<"GET /v1/admin/directory">["warnings"]>

export interface WarningTableProps {
  readonly warnings: Warnings
  /** Whether the units are in the current directory, so that they have pages. */
  readonly isCurrent: boolean
}

/** The warnings of an edition by kind, with the first rows of each. */
export const WarningTable = ({ isCurrent, warnings }: WarningTableProps) => (
  <Table
    caption="Warnings"
    rows={warnings}
    keyOf={({ kind }) => kind}
    empty="No row looks wrong."
    columns={[
      { head: "Warning", cell: ({ meaning }) => <span class="sentence">{sentenceOf(meaning)}</span> },
      { head: "Rows", isNumber: true, cell: ({ count }) => <Amount value={count} /> },
      { head: "First rows", cell: (warning) => <FirstRows warning={warning} isCurrent={isCurrent} /> }
    ]}
  />
)

interface FirstRowsProps {
  readonly warning: Warnings[number]
  readonly isCurrent: boolean
}

const FirstRows = ({ isCurrent, warning: { count, first } }: FirstRowsProps) => (
  <details class="first-rows">
    <summary>
      {count > first.length ? `Show the first ${first.length}` : count === 1 ? "Show it" : `Show all ${count}`}
    </summary>
    <ul>
      {first.map(({ detail, line, postcode }) => (
        <li key={`${line} ${detail}`}>
          {line !== undefined && `Line ${formatAmount(line)} `}
          {postcode !== undefined && <Unit postcode={postcode} isCurrent={isCurrent} />}
          {detail !== "" && <span class="muted">{detail}</span>}
        </li>
      ))}
    </ul>
  </details>
)

const Unit = ({ isCurrent, postcode }: { readonly postcode: string; readonly isCurrent: boolean }) =>
  isCurrent ? (
    <a href={`#${unitPath(postcode)}`}>
      <code class="amount">{postcode}</code>
    </a>
  ) : (
    <code class="amount">{postcode}</code>
  )

const sentenceOf = (meaning: string): string => meaning.charAt(0).toUpperCase() + meaning.slice(1)
