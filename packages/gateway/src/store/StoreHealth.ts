/** Port: whether the stores' database is reachable. For reporting only; no decision depends on it. */
import { Context } from "effect"

/** `none`: the stores have no database. */
export type DatabaseState = "connected" | "unavailable" | "none"

export interface StoreHealth {
  /** The last known state, synchronously. */
  readonly database: () => DatabaseState
  /**
   * Milliseconds since the last response of the database; Infinity before the first. Copies of keys are valid while
   * this is short. Absent without a database.
   */
  readonly silence_ms?: () => number
}

/** The health that a store reports. Without a database it is constant. */
export const StoreHealth = Context.Reference<StoreHealth>("@postcode/gateway/StoreHealth", {
  defaultValue: () => ({ database: () => "none" })
})
