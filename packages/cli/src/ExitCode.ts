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
