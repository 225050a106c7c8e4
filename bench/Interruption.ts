/** Lets a run that is interrupted clean up before it ends. */

export interface Interruption {
  /** Given when the process is asked to end. */
  readonly signal: AbortSignal
  /** Takes the process back to how it was; ends it if that was asked for. */
  readonly end: () => void
}

/** From now until `end`, Ctrl-C and a request to end the process set the signal instead. */
export const watchForInterruption = (): Interruption => {
  const controller = new AbortController()
  let exitCode: number | undefined
  const interrupted = (_: NodeJS.Signals, number: number): void => {
    // A second request finds no listener, and ends the process at once.
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
