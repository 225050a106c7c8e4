/** What a run of a directory that lives is given, and what it finds. */
import type { Wrong } from "../kit/LedgerRow.ts"

export interface LivingOptions {
  /** The units of the demonstration directory. */
  readonly units: number
  /** The time in which changes and searches are measured. */
  readonly seconds: number
  /** Changes a second. */
  readonly rate: number
  /** Whether a batch of 1,000 or 10,000 comes on top now and then. */
  readonly large: boolean
  readonly replicas: number
  /** Threads of each replica. */
  readonly workers: number
  /** How often something is killed with `kill -9` while changes go on. 0 leaves that part out. */
  readonly kills: number
  /** Whether another directory is imported and the import is reverted. */
  readonly revert: boolean
  /** Searches a second on each replica. */
  readonly searches: number
  /**
   * More changes than this, and more units that were shown, before the end: a busy machine goes on until
   * then. 0 by default.
   */
  readonly enough?: number
  /** The same seed makes the same changes and kills; when they meet, the machine decides. */
  readonly seed: number
  readonly progress: (message: string) => void
}

export type FaultKind = "replica" | "backend" | "postmaster" | "poster" | "everything"

/** Percentiles in milliseconds. */
export interface Times {
  readonly count: number
  readonly p50_ms: number
  readonly p99_ms: number
  readonly max_ms: number
}

/** Searches of one kind of rounds. */
export interface SearchReport {
  readonly all: Times
  readonly byKind: Readonly<Record<string, Times>>
  /** Requests without an answer of 200, by status; 0 stands for a lost answer. */
  readonly failed: Readonly<Record<number, number>>
  /** The delay of the load generator itself. */
  readonly lag_p99_ms: number
}

export interface MeasuredReport {
  readonly changes: number
  readonly changes_per_s: number
  readonly batches: number
  /** From the answer to a batch until each replica shows it. */
  readonly visible: Times & { readonly within_1_s: number }
  readonly quiet: SearchReport
  readonly changing: SearchReport
  /** The median of how many times as long the 99th percentile of a round with changes is as that of the round before. */
  readonly p99_ratio: number
}

export interface MemoryReport {
  readonly replica: number
  readonly start_mb: number
  readonly peak_mb: number
  readonly end_mb: number
  /** About every ten seconds. */
  readonly series_mb: ReadonlyArray<number>
}

export interface RevertReport {
  readonly import_s: number
  /** From the end of the wrong import until each replica has it. */
  readonly wrongEverywhere_s: number
  readonly revert_s: number
  /** From the start of the command until each replica has the right edition again. */
  readonly rightEverywhere_s: number
  /** The versions that each replica showed, in their order; the same for all, if there is only one text. */
  readonly versions: ReadonlyArray<string>
  readonly searches: SearchReport
  /** The output of the command. */
  readonly words: string
}

/** What was seen. Every list in `wrong` must be empty. */
export interface LivingReport {
  readonly units: number
  readonly import_s: number
  readonly ready_s: number
  readonly measured: MeasuredReport
  readonly memory: ReadonlyArray<MemoryReport>
  readonly faults: Readonly<Record<FaultKind, number>>
  readonly revert: RevertReport | undefined
  /** Changes in the database at the end. */
  readonly changes: number
  readonly batches: number
  /** Batches that were repeated after a fault and had been stored before. */
  readonly repeated: number
  /** Batches with a fault, which were refused as a whole. */
  readonly refused: number
  /** Codes in answers that were compared with the units at the version of the answer. */
  readonly observed: number
  /** Units that were compared in all, and with each replica. */
  readonly compared: number
  readonly comparedByReplica: number
  readonly searchesByBruteForce: number
  readonly addresses: number
  readonly wrong: Wrong
}
