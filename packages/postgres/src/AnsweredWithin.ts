/** For how long an answer of the database is waited for: the driver would wait for ever where a connection goes silent. */
import { Effect, Fiber } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"

/** What a question fails with that was not answered in time. */
export const noAnswer = "no answer" as const

/**
 * Gives up what takes longer. To end a statement on a connection that has gone silent takes the driver seconds, so that
 * is not waited for.
 */
export const answeredWithin = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  patience_ms: number
): Effect.Effect<A, E | typeof noAnswer, R> => giveUpAfter(work, patience_ms, noAnswer)

/** The same, but it fails as what breaks with its connection does, for work that such a failure is foreseen for. */
export const answeredOrBroken = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  patience_ms: number
): Effect.Effect<A, E | SqlError, R> => Effect.suspend(() => giveUpAfter(work, patience_ms, silence(patience_ms)))

const giveUpAfter = <A, E, R, Silence>(
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
