import { announce } from "../../kit/announce.ts"
import { Button } from "../../kit/Button.tsx"
import { saveCsv, tableLine } from "../../kit/csvFile.ts"
import { environment } from "../../state/environment.ts"
import type { KeyNames } from "./KeyName.tsx"
import type { Period } from "./period.ts"
import { type Grouping, nameOf, type UsageRow } from "./series.ts"

export interface UsageCsvProps {
  readonly by: Grouping
  readonly names: KeyNames
  readonly period: Period
  readonly rows: ReadonlyArray<UsageRow>
}

/** The report as a file: it is on the page already. */
export const UsageCsv = ({ by, names, period: { from, to }, rows }: UsageCsvProps) => {
  const columns = [
    ["date", (row: UsageRow) => row.date],
    [by, nameOf],
    ...(by === "key" ? [["key_name", (row: UsageRow) => names.get(nameOf(row))] as const] : []),
    ["requests", (row: UsageRow) => row.requests],
    ["credits", (row: UsageRow) => row.credits]
  ] as const
  return (
    <Button
      icon="down"
      onClick={() => {
        saveCsv(`usage-${environment.value}-${from}-${to}`, [
          tableLine(columns),
          ...rows.map((row) => tableLine(columns, row))
        ])
        announce("The file is ready")
      }}
    >
      CSV
    </Button>
  )
}
