import type { ComponentChildren } from "preact"
import { useIsNarrow } from "../../../hooks/useIsNarrow.ts"
import { counted, formatAmount } from "../../../kit/data/Amount.tsx"
import { type Fact, Facts } from "../../../kit/data/Facts.tsx"
import { Notice } from "../../../kit/feedback/Notice.tsx"
import { Section } from "../../../kit/layout/Section.tsx"
import { Table } from "../../../kit/tables/Table.tsx"
import { WarningTable } from "../WarningTable.tsx"
import { importColumns } from "./importColumns.ts"
import { ReadingForm } from "./ReadingForm.tsx"
import type { Check, Import } from "./useImport.ts"

export interface CheckReportProps {
  readonly open: Import
  readonly check: Check
  readonly onChecking: (started: Import) => void
}

/** What a dry run found: how the files are read, bad rows, warnings, and what would change. */
export const CheckReport = ({ check, onChecking, open }: CheckReportProps) => (
  <>
    <Section title="How the files are read">
      {!check.is_readable && (
        <Notice tone="bad" title="These files are not a directory">
          <p>Choose which columns to read, or other files.</p>
        </Notice>
      )}
      {check.is_readable && check.total_units === 0 && (
        <Notice tone="bad" title="There are no units in the file">
          <p>It has a header, and no row after it that can be read.</p>
        </Notice>
      )}
      <Facts facts={factsOf(open, check)} />
      {check.rows.length > 0 && <FirstUnits rows={check.rows} />}
      <ReadingForm key={open.id} id={open.id} check={check} onChecking={onChecking} />
    </Section>
    {check.bad_rows > 0 && (
      <Section
        title="Bad rows"
        lead={
          check.is_readable
            ? `${counted(check.bad_rows, "row")} cannot be read. Mend them in the files, or leave them out below.`
            : "Because of this, nothing else was read."
        }
      >
        <Folded
          summary={check.first_bad_rows.length === 1 ? "The row" : `The first ${check.first_bad_rows.length}`}
          isShort={check.first_bad_rows.length <= 3}
        >
          <Table
            caption="Bad rows"
            rows={check.first_bad_rows}
            keyOf={({ file, line, reason }) => `${file} ${line} ${reason}`}
            empty=""
            columns={[
              { head: "Row", cell: ({ file, line }) => `${open[file].name}, line ${formatAmount(line)}` },
              { head: "Reason", cell: ({ reason }) => <span class="sentence">{reason}</span> }
            ]}
          />
        </Folded>
        {check.bad_rows > check.first_bad_rows.length && (
          <p class="muted">
            These are the first {check.first_bad_rows.length}. <code>postcode import --dry-run --bad-rows FILE</code>{" "}
            writes all of them to a file.
          </p>
        )}
      </Section>
    )}
    {check.is_readable && (
      <Section title="Warnings" lead="Rows that can be read, and may be wrong. They stay with the edition.">
        <WarningTable warnings={check.warnings} isCurrent={false} />
      </Section>
    )}
  </>
)

const factsOf = ({ places, units }: Import, check: Check): ReadonlyArray<Fact> => [
  [places.name, describe(check.places)],
  [units.name, describe(check.units)],
  [
    "Units",
    check.is_readable
      ? `${formatAmount(check.total_units)}, of which ${formatAmount(check.active_units)} are active`
      : undefined
  ],
  [
    "Left out",
    check.dropped_units > 0 ? `${counted(check.dropped_units, "unit")} with a location that cannot be right` : undefined
  ]
]

const describe = ({ columns, notes }: Check["units"]): string => {
  const read = Object.entries(columns).map(([column, name]) => (name === column ? name : `${name} as ${column}`))
  return (
    [...notes, ...(read.length > 0 ? [`Columns: ${read.join(", ")}`] : [])].map(sentenceOf).join(" ") || "Not read."
  )
}

const sentenceOf = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** Columns that are empty in all of the rows are not shown. */
const FirstUnits = ({ rows }: { readonly rows: Check["rows"] }) => (
  <Folded
    summary={`The first ${rows.length === 1 ? "unit" : `${rows.length} units`}, as they are read`}
    isShort={rows.length === 1}
  >
    <Table
      caption="The first units"
      isWide
      rows={rows}
      keyOf={(row) => row.join(" ")}
      empty=""
      columns={importColumns.flatMap((column, at) =>
        rows.some((row) => row[at])
          ? [
              {
                head: column,
                cell: (row: ReadonlyArray<string>) => (at === 0 ? <code class="amount">{row[at]}</code> : row[at])
              }
            ]
          : []
      )}
    />
  </Folded>
)

interface FoldedProps {
  readonly summary: string
  readonly isShort: boolean
  readonly children: ComponentChildren
}

/** A table that is long on a narrow screen: there it is folded at first. */
const Folded = ({ children, isShort, summary }: FoldedProps) => (
  <details open={isShort || !useIsNarrow()}>
    <summary>{summary}</summary>
    {children}
  </details>
)
