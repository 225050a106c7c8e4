/** What `npm run drill -- NAME` runs. */
import type { Wrong } from "./LedgerRow.ts"

export type DrillOptions = Readonly<Record<string, number | string | boolean>>

export interface Drill<Options extends DrillOptions> {
  /** The options of the command line, with default values that take about a minute. A number is whole and not negative. */
  readonly options: Options
  /** A message that names what this machine lacks; undefined if the drill can run. */
  readonly missing?: () => Promise<string | undefined> | string | undefined
  /** Prints figures to standard output, and returns broken promises: every list must be empty. */
  readonly run: (options: Options, progress: (message: string) => void) => Promise<Wrong>
}

/** Prints a report as JSON. */
export const printJson = (report: unknown): void => {
  process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`)
}

/** Prints a Markdown table. */
export const printTable = (head: ReadonlyArray<unknown>, rows: ReadonlyArray<ReadonlyArray<unknown>>): void => {
  for (const row of [head, head.map(() => "---"), ...rows]) process.stdout.write(`| ${row.join(" | ")} |\n`)
}
