/** Exit codes, and the one expected kind of failure. */
import { Effect } from "effect"

/** The meaning of each exit code. The command returns no other. */
export const exitCodes = {
  done: 0,
  failed: 1,
  wrongUsage: 2,
  notAllowed: 4,
  notEnoughCredits: 5,
  interrupted: 130
} as const

/** One of the exit codes. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** An expected failure: the reason and the remedy, as a message to the user. */
export class CommandFailure {
  readonly _tag = "CommandFailure"
  readonly message: string
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = exitCodes.failed) {
    this.message = message
    this.exitCode = exitCode
  }
}

/** Fails because of how the command was used. */
export const failUsage = (message: string): Effect.Effect<never, CommandFailure> =>
  Effect.fail(new CommandFailure(message, exitCodes.wrongUsage))

/** Converts any thrown value to a failure of the command. */
export const toFailure = (error: unknown): CommandFailure =>
  error instanceof CommandFailure ? error : new CommandFailure(messageOf(error))

/** The message of a thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
