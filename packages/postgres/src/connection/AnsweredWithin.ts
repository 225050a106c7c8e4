/**
 * Timeouts for queries: without them, the driver would wait forever on a connection that has gone silent.
 */
import { StoreMeter } from "@postcode/gateway/store/StoreMeter"
import { Cause, Effect, Exit, Fiber } from "effect"
import { ConnectionError, isSqlError, SqlError } from "effect/sql/SqlError"

/** The failure of a query that timed out. */
export const noAnswer = "no answer" as const

/**
 * Fails with `noAnswer` after a timeout, without waiting for the end of the statement: on a silent connection, that
 * takes the driver seconds.
 */
export const answeredWithin = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  timeout_ms: number
): Effect.Effect<A, E | typeof noAnswer, R> => metered(giveUpAfter(work, timeout_ms, () => noAnswer))

/** Reports the duration and the outcome of work to the `StoreMeter`, if there is one. */
const metered = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    const ended = fiber.getRef(StoreMeter)?.query()
    if (ended === undefined) return work
    return Effect.onExit(work, (exit) => Effect.sync(() => ended(isAnswered(exit) ? "answered" : "failed")))
  })

/** A port's own errors are answers. Interrupted work counts as answered too, because it has not failed. */
const isAnswered = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isSuccess(exit) ||
  exit.cause.reasons.every((reason) =>
    Cause.isFailReason(reason)
      ? reason.error !== noAnswer && !isSqlError(reason.error)
      : Cause.isInterruptReason(reason)
  )

/** Fails after a timeout with the `SqlError` of a broken connection, for callers that handle that error. */
export const answeredOrBroken = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  timeout_ms: number
): Effect.Effect<A, E | SqlError, R> => giveUpAfter(work, timeout_ms, () => timeoutError(timeout_ms))

/**
 * Fails with what `error` returns after a timeout. The work is interrupted without waiting for its end, because its
 * connection may be silent.
 */
export const giveUpAfter = <A, E, R, E2>(
  work: Effect.Effect<A, E, R>,
  timeout_ms: number,
  error: () => E2
): Effect.Effect<A, E | E2, R> =>
  Effect.flatMap(Effect.forkDetach(work, { startImmediately: true }), (fiber) => {
    const interrupt = Effect.sync(() => fiber.interruptUnsafe())
    return Effect.onInterrupt(
      Effect.timeoutOrElse(Fiber.join(fiber), {
        duration: timeout_ms,
        orElse: () => Effect.andThen(interrupt, Effect.failSync(error))
      }),
      () => interrupt
    )
  })

const timeoutError = (timeout_ms: number): SqlError => {
  const message = `the database did not respond within ${timeout_ms / 1_000} s`
  return new SqlError({ reason: new ConnectionError({ cause: new Error(message), message, operation: "query" }) })
}
