/** What a conformance suite has to be told of an adapter beside its layer. */
import type { Effect } from "effect"

/**
 * Suites run on the real clock. An adapter that takes its time from effect's `Clock` brings a test clock in its layer:
 *
 * ```ts
 * const layer = Layer.provideMerge(MemoryStore.layer, TestClock.layer())
 * creditLedgerSuite("in memory", layer, { advance: TestClock.adjust })
 * ```
 */
export interface SuiteOptions {
  /**
   * Moves the time that rules the adapter forward. Where it is missing, what depends on the time is only tested as far
   * as one can see without waiting.
   */
  readonly advance?: (duration_ms: number) => Effect.Effect<void>
  /** Completes what the adapter writes a little later, if it does so. */
  readonly settle?: Effect.Effect<void>
  /** How many runs a property of the suite takes; 100 by default. Fewer where the adapter is slow. */
  readonly runs?: number
}
