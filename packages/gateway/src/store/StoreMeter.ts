/** Port: receives measurements of a store, for monitoring only. */
import { Context } from "effect"

/** `failed`: the database is unavailable, overloaded or silent, or the query is invalid. */
export const queryOutcomes = ["answered", "failed"] as const

/** The outcome of a query. */
export type QueryOutcome = (typeof queryOutcomes)[number]

/** Called on hot paths: implementations must be fast and must not throw. */
export interface StoreMeter {
  /** A query begins, which uses one connection. Returns a callback for its outcome. */
  readonly query: () => (outcome: QueryOutcome) => void
  /** A number of charges, of any accounts, is written as one batch. */
  readonly batch: (charges: number) => void
}

/** No measurements by default. */
export const StoreMeter = Context.Reference<StoreMeter | undefined>("@postcode/gateway/StoreMeter", {
  defaultValue: () => undefined
})
