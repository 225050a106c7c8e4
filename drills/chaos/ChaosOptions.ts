/** What a run of chaos is given, and what it finds. */

export interface ChaosOptions {
  /** How long clients and faults go on. */
  readonly duration_ms: number
  /** The same seed asks the same questions and makes the same faults; when they meet, the machine decides. */
  readonly seed: number
  readonly replicas: number
  readonly clients: number
  /** A run on a busy machine goes on until there is so much to judge. */
  readonly enough: Enough
  readonly progress: (message: string) => void
}

interface Enough {
  /** Answers that charged something. */
  readonly charges: number
  /** Answers of 201 to corrections. */
  readonly corrections: number
  /** Suspensions that were resumed. */
  readonly suspensions: number
  /** Answers of 429. */
  readonly limited: number
  /** Comparisons of the balances with their rows. */
  readonly reads: number
}

/** With less, a long run says little. */
export const enoughForLong: Enough = { charges: 500, corrections: 50, suspensions: 5, limited: 1, reads: 5 }

/** What was seen. Every list in `wrong` must be empty. */
export interface ChaosReport {
  readonly attempts: number
  /** Answers by status; 0 stands for those that were lost. */
  readonly answers: Readonly<Record<number, number>>
  /** Answers of 200 that charged something. */
  readonly charged: number
  /** Answers to corrections by status. */
  readonly corrections: Readonly<Record<number, number>>
  /** Suspensions that were resumed. */
  readonly suspensions: number
  readonly ledgerRows: number
  readonly faults: Readonly<Record<FaultKind, number>>
  /** How often balances were read and compared with the sum of their rows meanwhile. */
  readonly balanceReads: number
  readonly finalBalances: Readonly<Record<string, number>>
  readonly wrong: Readonly<Record<string, ReadonlyArray<string>>>
}

export type FaultKind = "replica" | "backend" | "postmaster"
