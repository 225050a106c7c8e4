/** Port: is told how a store works, so that whoever runs the service can see it. Nothing is decided by it. */
import { Context } from "effect"

/** `failed` where the database is away, too busy or silent, or the question was wrong. */
export const questionOutcomes = ["answered", "failed"] as const

/** How a question to the store ended. */
export type QuestionOutcome = (typeof questionOutcomes)[number]

/** What it is told of is frequent, so it has to be quick, and must not throw. */
export interface StoreMeter {
  /** A question to the database begins, which takes one connection; answers whom to tell of its end. */
  readonly question: () => (outcome: QuestionOutcome) => void
  /** So many charges, of any accounts, are written together. */
  readonly batch: (charges: number) => void
}

/** Nobody unless told. */
export const StoreMeter = Context.Reference<StoreMeter | undefined>("@postcode/core/StoreMeter", {
  defaultValue: () => undefined
})
