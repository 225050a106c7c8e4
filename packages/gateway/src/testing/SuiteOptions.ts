/** Options of a conformance suite besides the adapter's layer. */
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
   * Advances the adapter's clock. Without it, time-dependent behaviour is tested only as far as possible without
   * waiting.
   */
  readonly advance?: (duration_ms: number) => Effect.Effect<void>
  /** Flushes delayed writes of the adapter, if it has any. */
  readonly settle?: Effect.Effect<void>
  /** Runs per property; 100 by default, fewer for a slow adapter. */
  readonly runs?: number
}
