/** The timeout of a call, combined with the caller's signal. */

/** The abort reason of a timeout. */
export const timeoutReason = new Error("the call timed out")

export interface CallTimeout {
  /** Aborted at the timeout with `timeoutReason`, or with the reason of the caller's signal. */
  readonly signal: AbortSignal
  /** Rejects with the signal's reason when the signal is aborted. */
  readonly over: Promise<never>
  readonly left_ms: () => number
  /** Removes the timer and the listener. */
  readonly release: () => void
}

/** The maximum of a timer: 24 days. A longer one would fire at once. */
const maxTimer_ms = 2_147_483_647

/** The calls of a caller's signal, which share one listener: Node 20 warns of a leak from the 11th listener on. */
const callsOf = new WeakMap<AbortSignal, Set<() => void>>()

/** Returns the function that ends listening. */
const listen = (caller: AbortSignal, cancel: () => void): (() => void) => {
  const calls = callsOf.get(caller) ?? new Set()
  const cancelAll = () => {
    for (const call of calls) call()
  }
  if (calls.size === 0) {
    const controller = new AbortController()
    stops.set(calls, controller)
    caller.addEventListener("abort", cancelAll, { signal: controller.signal })
  }
  callsOf.set(caller, calls.add(cancel))
  return () => {
    calls.delete(cancel)
    if (calls.size === 0) stops.get(calls)?.abort()
  }
}

/** Remove the listeners of signals without calls. */
const stops = new WeakMap<Set<() => void>, AbortController>()

export const startTimeout = (timeout_ms: number, caller: AbortSignal | undefined): CallTimeout => {
  const controller = new AbortController()
  const { signal } = controller
  const end_ms = performance.now() + timeout_ms
  const timer = setTimeout(() => controller.abort(timeoutReason), Math.min(timeout_ms, maxTimer_ms))
  // fetch never removes its listener, and the caller's signal may serve many calls: fetch gets a signal of this call.
  const unlisten = caller && listen(caller, () => controller.abort(caller.reason))
  return {
    signal,
    over: new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason))
    }),
    left_ms: () => end_ms - performance.now(),
    release: () => {
      clearTimeout(timer)
      unlisten?.()
    }
  }
}

/** Sleeps, at most until the signal is aborted. */
export const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer)
      signal.removeEventListener("abort", wake)
      resolve()
    }
    const timer = setTimeout(wake, signal.aborted ? 0 : Math.min(ms, maxTimer_ms))
    signal.addEventListener("abort", wake)
  })
