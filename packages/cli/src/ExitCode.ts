/** How the command ends, and the one kind of failure that is expected and explained. */

/** What each exit code says. Nothing else is ever answered. */
export const exitCodes = {
  done: 0,
  failed: 1,
  wrongUsage: 2,
  notAllowed: 4,
  notEnoughCredits: 5,
  interrupted: 130
} as const

/** One of these codes. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** The command cannot do what was asked: why, and what would help, in words for whoever typed it. */
export class CommandFailure {
  readonly _tag = "CommandFailure"
  readonly message: string
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = exitCodes.failed) {
    this.message = message
    this.exitCode = exitCode
  }
}

/** Whatever was thrown, as a failure of the command. */
export const asFailure = (error: unknown): CommandFailure =>
  error instanceof CommandFailure ? error : new CommandFailure(messageOf(error))

/** What was thrown, in its own words. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
