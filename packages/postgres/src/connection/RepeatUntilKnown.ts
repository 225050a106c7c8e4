/**
 * What to do when a commit is in doubt: the connection broke, or no answer came, and nobody knows whether the work took
 * effect. Then the same work runs again, which must be made so that it takes effect once, however often it runs.
 */
import type { Unavailable } from "@postcode/core/Errors"
import { Cause, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { answeredWithin, noAnswer } from "./AnsweredWithin.ts"
import { databaseAway, isAway, sqlState } from "./Database.ts"

/** What the work answered at last. */
export interface Known<A> {
  readonly answer: A
  /**
   * Whether an earlier run was never heard of again, so that it may still take effect. An answer that says that
   * something was done is final all the same; one that says that it could not be done is not.
   */
  readonly mayFollow: boolean
}

/** One run of some work. */
export interface Run<A> {
  readonly start_ms: number
  /** Undefined if it failed, or no answer came in time. */
  readonly answer: A | undefined
  /** Whether it was never heard of again, see `Known`. */
  readonly mayFollow: boolean
  /**
   * What is wrong with the work itself, so that it will fail again: `SQLSTATE 42883`. It is for logs, so it holds nothing
   * that was sent or stored. Undefined if the work succeeded, or the database is to blame.
   */
  readonly mistake: string | undefined
}

/** Runs the work once. Whatever it fails with, the work is to go on in another way, see `repeatUntilKnown`. */
export const runOnce = <A, R>(work: Effect.Effect<A, SqlError, R>): Effect.Effect<Run<A>, never, R> =>
  Effect.suspend(() => {
    const start_ms = performance.now()
    return Effect.matchCause(answeredWithin(work, answer_ms), {
      onSuccess: (answer) => ({ start_ms, answer, mayFollow: false, mistake: undefined }),
      onFailure: ({ reasons }) => {
        const mayFollow = reasons.some((reason) => !Cause.isFailReason(reason) || leavesDoubt(reason.error))
        return { start_ms, answer: undefined, mayFollow, mistake: reasons.map(mistakeIn).find(Boolean) }
      }
    })
  })

/**
 * Runs the work until the database answers, for about 3 s; then it fails with `Unavailable`.
 *
 * @param former what was tried before, if so: the same work among other, with the same effect
 */
export const repeatUntilKnown = <A, R>(
  work: Effect.Effect<A, SqlError, R>,
  former?: Run<unknown>
): Effect.Effect<Known<A>, Unavailable, R> =>
  Effect.suspend(() => {
    const end_ms = (former?.start_ms ?? performance.now()) + patience_ms
    let mayFollow = former?.mayFollow ?? false
    const attempt: Effect.Effect<Known<A>, Unavailable, R> = Effect.matchEffect(answeredWithin(work, answer_ms), {
      onSuccess: (answer) => Effect.succeed({ answer, mayFollow }),
      onFailure: (error) => {
        if (error !== noAnswer && !isAway(error)) return Effect.die(error)
        mayFollow ||= leavesDoubt(error)
        return performance.now() + pause_ms > end_ms
          ? Effect.fail(databaseAway)
          : Effect.andThen(Effect.sleep(pause_ms), attempt)
      }
    })
    return attempt
  })

/** For how long the work is begun again. */
const patience_ms = 2_500
/** After this time without an answer it is tried on another connection: longer than a busy lock makes it wait. */
const answer_ms = 1_500
const pause_ms = 50

/** The server's words may quote what was sent, and those of a defect may hold anything: neither is repeated. */
const mistakeIn = (reason: Cause.Reason<SqlError | typeof noAnswer>): string | undefined => {
  if (Cause.isDieReason(reason)) return `a defect, ${reason.defect instanceof Error ? reason.defect.name : "unnamed"}`
  if (!Cause.isFailReason(reason) || reason.error === noAnswer || isAway(reason.error)) return undefined
  const state = sqlState(reason.error.reason.cause)
  return state === "" ? reason.error.reason._tag : `SQLSTATE ${state}`
}

/** The server's own words say what became of the work, and a connection that was never made took none of it. */
const leavesDoubt = (error: SqlError | typeof noAnswer): boolean =>
  error === noAnswer || (sqlState(error.reason.cause) === "" && error.reason.operation !== "connect")
