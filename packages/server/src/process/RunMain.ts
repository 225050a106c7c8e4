/** Runs a command as a process: signals, error messages and the exit code. */
import { Cause, Effect, Exit, Runtime } from "effect"
import { CliError } from "effect/cli"
import { CommandFailure, type ExitCode, exitCodes } from "./ExitCode.ts"
import { redactIdentifiers, sayError } from "./Output.ts"

/** Runs a server: SIGTERM interrupts it, and it ends successfully. SIGTERM interrupts all other work as SIGINT does. */
export const untilTerminated = <E, R>(work: Effect.Effect<void, E, R>): Effect.Effect<void, E, R> =>
  Effect.raceFirst(work, terminated)

/** Runs a command to its end and sets its exit code. */
export const runMain = (command: Effect.Effect<void, CommandError>): void =>
  main(command, {
    disableErrorReporting: true,
    teardown: (exit, end) => end(exitCodeOf(exit))
  })

/** Called on SIGTERM, if set. */
let onTerminate: (() => void) | undefined

const terminated: Effect.Effect<void> = Effect.callback((resume) => {
  onTerminate = () => resume(Effect.void)
})

const main = Runtime.makeRunMain(({ fiber, teardown }) => {
  const interrupt = () => fiber.interruptUnsafe(fiber.id)
  const terminate = () => (onTerminate ?? interrupt)()
  process.on("SIGINT", interrupt)
  process.on("SIGTERM", terminate)
  fiber.addObserver((exit) => {
    process.off("SIGINT", interrupt)
    process.off("SIGTERM", terminate)
    teardown(exit, (code) => {
      // An interrupted command does not wait for a reader that may have stopped reading.
      if (code === exitCodes.interrupted) process.exit(code)
      process.stdout.write("", () => process.stderr.write("", () => process.exit(code)))
    })
  })
})

/** The expected errors of commands. */
export type CommandError = CliError.CliError | CommandFailure

/**
 * Reports an error on standard error. The parser has already explained wrong usage, a failure has its own message, and
 * anything else is a bug.
 */
export const reportFailure = (cause: Cause.Cause<CommandError>): Effect.Effect<void> =>
  Effect.sync(() => {
    if (Cause.hasInterruptsOnly(cause)) return
    const error: unknown = Cause.squash(cause)
    if (error instanceof CommandFailure) sayError(redactIdentifiers(error.message))
    else if (!CliError.isCliError(error)) sayError(`this is a bug in the command\n${Cause.pretty(cause)}`)
  })

/** The exit code of a finished command. */
export const exitCodeOf = (exit: Exit.Exit<unknown, unknown>): ExitCode => {
  if (Exit.isSuccess(exit)) return exitCodes.done
  if (Cause.hasInterruptsOnly(exit.cause)) return exitCodes.interrupted
  const error = Cause.squash(exit.cause)
  if (error instanceof CommandFailure) return error.exitCode
  return CliError.isCliError(error) ? exitCodes.wrongUsage : exitCodes.failed
}
