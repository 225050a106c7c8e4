/**
 * Repeats work whose commit is in doubt: if the connection breaks or no answer comes, it is unknown whether the work
 * took effect. The work must be idempotent.
 */
import type { Unavailable } from "@postcode/gateway/Errors"
import { Cause, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { answeredWithin, noAnswer } from "../AnsweredWithin.ts"
import { databaseUnavailable, isUnavailable, sqlState } from "../Database.ts"

/** The final answer of the work. */
export interface Known<A> {
  readonly answer: A
  /**
   * Whether an earlier run got no answer, so that it may still take effect. Then an answer that the work is done is
   * final, but a refusal is not.
   */
  readonly mayFollow: boolean
}

/** One run of some work. */
export interface Run<A> {
  readonly start_ms: number
  /** Undefined if the run failed or timed out. */
  readonly answer: A | undefined
  /** Whether the run may still take effect, see `Known`. */
  readonly mayFollow: boolean
  /**
   * A bug in the work itself, which will fail again: `SQLSTATE 42883`. For logs, so it contains no data. Undefined if
   * the work succeeded, or if the state of the database is the cause.
   */
  readonly mistake: string | undefined
}

/** Runs the work once and reports any failure, for callers that then use `repeatUntilKnown`. */
export const runOnce = <A, R>(work: Effect.Effect<A, SqlError, R>): Effect.Effect<Run<A>, never, R> =>
  Effect.suspend(() => {
    const start_ms = performance.now()
    return Effect.matchCause(answeredWithin(work, timeout_ms), {
      onSuccess: (answer) => ({ start_ms, answer, mayFollow: false, mistake: undefined }),
      onFailure: ({ reasons }) => {
        const mayFollow = reasons.some((reason) => !Cause.isFailReason(reason) || leavesDoubt(reason.error))
        return { start_ms, answer: undefined, mayFollow, mistake: reasons.map(mistakeIn).find(Boolean) }
      }
    })
  })

/**
 * Runs the work until the database answers. The last run begins at most 2.5 s after the first; then it fails with
 * `Unavailable`.
 *
 * @param former an earlier run that included the same work
 */
export const repeatUntilKnown = <A, R>(
  work: Effect.Effect<A, SqlError, R>,
  former?: Run<unknown>
): Effect.Effect<Known<A>, Unavailable, R> =>
  Effect.suspend(() => {
    const end_ms = (former?.start_ms ?? performance.now()) + retry_ms
    let mayFollow = former?.mayFollow ?? false
    const attempt: Effect.Effect<Known<A>, Unavailable, R> = Effect.matchEffect(answeredWithin(work, timeout_ms), {
      onSuccess: (answer) => Effect.succeed({ answer, mayFollow }),
      onFailure: (error) => {
        if (error !== noAnswer && !isUnavailable(error)) return Effect.die(error)
        mayFollow ||= leavesDoubt(error)
        return performance.now() + pause_ms > end_ms
          ? Effect.fail(databaseUnavailable)
          : Effect.andThen(Effect.sleep(pause_ms), attempt)
      }
    })
    return attempt
  })

/** How long the work is retried. */
const retry_ms = 2_500
/** Timeout of a run, after which another connection is used: longer than a busy lock usually takes. */
const timeout_ms = 1_500
const pause_ms = 50

/** Messages are omitted, because those of the server and of defects may contain data. */
const mistakeIn = (reason: Cause.Reason<SqlError | typeof noAnswer>): string | undefined => {
  if (Cause.isDieReason(reason)) return `a defect, ${reason.defect instanceof Error ? reason.defect.name : "unnamed"}`
  if (!Cause.isFailReason(reason) || reason.error === noAnswer || isUnavailable(reason.error)) return undefined
  const state = sqlState(reason.error.reason.cause)
  return state === "" ? reason.error.reason._tag : `SQLSTATE ${state}`
}

/** There is no doubt after an error of the server, or if the connection was never established. */
const leavesDoubt = (error: SqlError | typeof noAnswer): boolean =>
  error === noAnswer || (sqlState(error.reason.cause) === "" && error.reason.operation !== "connect")
