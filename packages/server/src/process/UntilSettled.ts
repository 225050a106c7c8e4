/** Work with files that must clean up after an interruption. */
import { Effect } from "effect"
import { type CommandFailure, toFailure } from "./ExitCode.ts"

/** Runs work that is notified of an interruption and then awaited. */
export const untilSettled = <A>(work: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, CommandFailure> =>
  Effect.callback((resume) => {
    const controller = new AbortController()
    const settled = work(controller.signal).then(
      (value) => resume(Effect.succeed(value)),
      (error: unknown) => resume(Effect.fail(toFailure(error)))
    )
    return Effect.promise(() => {
      controller.abort()
      return settled
    })
  })
