/** Lets an interrupted run clean up. */

export interface Interruption {
  /** Aborted when the process is interrupted. */
  readonly signal: AbortSignal
  /** Restores the default signal handling; exits if the process was interrupted. */
  readonly end: () => void
}

/** Until `end`, SIGINT and SIGTERM abort the signal instead of the process. */
export const watchForInterruption = (): Interruption => {
  const controller = new AbortController()
  let exitCode: number | undefined
  const interrupted = (_: NodeJS.Signals, number: number): void => {
    // A second signal has no listener and ends the process.
    stopListening()
    exitCode = 128 + number
    controller.abort(new Error("The benchmark was interrupted."))
  }
  const stopListening = (): void => {
    for (const name of signals) process.off(name, interrupted)
  }
  for (const name of signals) process.on(name, interrupted)
  return {
    signal: controller.signal,
    end: () => {
      stopListening()
      if (exitCode !== undefined) process.exit(exitCode)
    }
  }
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const
