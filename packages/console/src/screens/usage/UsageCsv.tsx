import { announce } from "../../kit/feedback/announce.ts"
import { Button } from "../../kit/forms/Button.tsx"
import { saveCsv, tableLine } from "../../kit/tables/csvFile.ts"
import { environment } from "../../state/environment.ts"
import type { Period } from "./period.ts"
import { type Grouping, nameOf, type UsageRow } from "./series.ts"
import type { KeyNames } from "./useKeyNames.ts"

export interface UsageCsvProps {
  readonly by: Grouping
  readonly names: KeyNames
  readonly period: Period
  readonly rows: ReadonlyArray<UsageRow>
}

/** The report as a file, from the loaded data. */
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
