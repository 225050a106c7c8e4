/** Work with files, which an interruption must not leave half done. */
import { Effect } from "effect"
import { asFailure, type CommandFailure } from "./ExitCode.ts"

/** Runs work that is told of an interruption and then waited for, so that it can clean up. */
export const untilSettled = <A>(work: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, CommandFailure> =>
  Effect.callback((resume) => {
    const controller = new AbortController()
    const settled = work(controller.signal).then(
      (value) => resume(Effect.succeed(value)),
      (error: unknown) => resume(Effect.fail(asFailure(error)))
    )
    return Effect.promise(() => {
      controller.abort()
      return settled
    })
  })
