/** What a run of `enrich` under kills is given, and what it finds. */

export interface EnrichKillsOptions {
  readonly rows: number
  /** How often the command is killed with `kill -9`. */
  readonly kills: number
  /** How often the service is killed with `kill -9`, and started again. */
  readonly serviceKills: number
  /** The same seed kills at the same rows; what the processes do then, the machine decides. */
  readonly seed: number
  readonly progress: (message: string) => void
}

/** What was seen. Every list in `wrong` must be empty. */
export interface EnrichKillsReport {
  readonly rows: number
  readonly kills: number
  readonly serviceKills: number
  /** Requests that were charged, killed before they were confirmed, and answered again without a charge. */
  readonly repeatedRequests: number
  readonly ledgerEntries: number
  readonly creditsCharged: number
  readonly seconds: number
  readonly wrong: Readonly<Record<string, ReadonlyArray<string>>>
}
