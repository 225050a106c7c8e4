/** Port: whether the database behind the stores is within reach. It is told, and nothing is decided by it. */
import { Context } from "effect"

/** `none` where no database is behind them, so that nothing can be out of reach. */
export type DatabaseState = "connected" | "away" | "none"

export interface StoreHealth {
  /** As far as is known now. It never waits. */
  readonly database: () => DatabaseState
  /**
   * How long ago the database was last heard of, in milliseconds; Infinity if it never was. Copies of keys count for as
   * long as this is short. Absent where there is none.
   */
  readonly silence_ms?: () => number
}

/** What a store says of itself. One without a database has nothing to say. */
export const StoreHealth = Context.Reference<StoreHealth>("@postcode/core/StoreHealth", {
  defaultValue: () => ({ database: () => "none" })
})
