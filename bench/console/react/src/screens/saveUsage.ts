import type { Period } from "../../../../../packages/console/src/screens/usage/period.ts"
import { nameOf, type UsageRow } from "../../../../../packages/console/src/screens/usage/series.ts"

/** Saves a report as a file. */
export const saveUsage = (rows: ReadonlyArray<UsageRow>, environment: string, { from, to }: Period): void => {
  const lines = ["date,name,requests,credits", ...rows.map((row) => [row.date, nameOf(row), row.requests, row.credits])]
  const address = URL.createObjectURL(new Blob([lines.join("\r\n")], { type: "text/csv" }))
  const link = document.createElement("a")
  link.href = address
  link.download = `usage-${environment}-${from}-${to}.csv`
  link.click()
  URL.revokeObjectURL(address)
}
