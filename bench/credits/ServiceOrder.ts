/** The settings of a service process, and its directory. */
import { type DemoDirectory, demoDirectory } from "@postcode/demo"

export interface ServiceOrder {
  readonly databaseUrl: string
  readonly ledger: "ours" | "plain"
}

/** A small directory, since only charging is measured. */
export const servedDirectory = (): DemoDirectory => demoDirectory({ units: 1_000 })
