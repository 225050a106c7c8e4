/** What the process of a service is told, and what it serves. */
import { type DemoDirectory, demoDirectory } from "@postcode/demo"

export interface ServiceOrder {
  readonly databaseUrl: string
  readonly ledger: "ours" | "plain"
}

/** The directory that is served: a small one, as nothing but charging is to be measured. */
export const servedDirectory = (): DemoDirectory => demoDirectory({ units: 1_000 })
