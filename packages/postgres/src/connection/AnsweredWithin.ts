/**
 * For how long an answer of the database is waited for: the driver would wait for ever where a connection goes silent.
 */
import { StoreMeter } from "@postcode/core/store/StoreMeter"
import { Cause, Effect, Exit, Fiber } from "effect"
import { ConnectionError, isSqlError, SqlError } from "effect/sql/SqlError"

/** What a question fails with that was not answered in time. */
export const noAnswer = "no answer" as const

/**
 * Gives up what takes longer. To end a statement on a connection that has gone silent takes the driver seconds, so that
 * is not waited for.
 */
export const answeredWithin = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  patience_ms: number
): Effect.Effect<A, E | typeof noAnswer, R> => metered(giveUpAfter(work, patience_ms, noAnswer))

/** Tells whoever wants to know how long a question takes, and whether it was answered. */
const metered = <A, E, R>(question: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    const ended = fiber.getRef(StoreMeter)?.query()
    if (ended === undefined) return question
    return Effect.onExit(question, (exit) => Effect.sync(() => ended(isAnswered(exit) ? "answered" : "failed")))
  })

/** What a port's own errors say is an answer, and one that nobody waits for any more is not known to have failed. */
const isAnswered = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isSuccess(exit) ||
  exit.cause.reasons.every((reason) =>
    Cause.isFailReason(reason)
      ? reason.error !== noAnswer && !isSqlError(reason.error)
      : Cause.isInterruptReason(reason)
  )

/** The same, but it fails as what breaks with its connection does, for work that such a failure is foreseen for. */
export const answeredOrBroken = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  patience_ms: number
): Effect.Effect<A, E | SqlError, R> => Effect.suspend(() => giveUpAfter(work, patience_ms, silence(patience_ms)))

/**
 * Fails with `silence` where work takes longer than `patience_ms`. The work is told to end, and its end is not waited
 * for: its connection may have gone silent.
 */
export const giveUpAfter = <A, E, R, Silence>(
  work: Effect.Effect<A, E, R>,
  patience_ms: number,
  silence: Silence
): Effect.Effect<A, E | Silence, R> =>
  Effect.flatMap(Effect.forkDetach(work, { startImmediately: true }), (fiber) => {
    const giveUp = Effect.sync(() => fiber.interruptUnsafe())
    return Effect.onInterrupt(
      Effect.timeoutOrElse(Fiber.join(fiber), {
        duration: patience_ms,
        orElse: () => Effect.andThen(giveUp, Effect.fail(silence))
      }),
      () => giveUp
    )
  })

const silence = (patience_ms: number): SqlError => {
  const message = `the database gave no answer within ${patience_ms / 1_000} s`
  return new SqlError({ reason: new ConnectionError({ cause: new Error(message), message, operation: "query" }) })
}
