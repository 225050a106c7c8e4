/** The time that a call has: it ends by itself, or with the caller's signal. */

/** What the signal of a call says once its time is up. */
export const timeUp = new Error("the time of the call is up")

export interface CallTime {
  /** Aborted once the time is up, for `timeUp`, or when the caller's signal is, for its reason. */
  readonly signal: AbortSignal
  /** Rejects when the signal is aborted, with its reason. */
  readonly over: Promise<never>
  readonly left_ms: () => number
  /** Leaves nothing behind: no timer, no listener. */
  readonly release: () => void
}

/** What timers can hold: 24 days. Whatever is more than that would be no time at all. */
const longest_ms = 2_147_483_647

export const startTime = (timeout_ms: number, caller: AbortSignal | undefined): CallTime => {
  const controller = new AbortController()
  const { signal } = controller
  const end_ms = performance.now() + timeout_ms
  const timer = setTimeout(() => controller.abort(timeUp), Math.min(timeout_ms, longest_ms))
  // The caller's signal may live long and serve many calls: fetch gets one of this call, as it lets go of none.
  const cancel = () => controller.abort(caller?.reason)
  caller?.addEventListener("abort", cancel)
  return {
    signal,
    over: new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason))
    }),
    left_ms: () => end_ms - performance.now(),
    release: () => {
      clearTimeout(timer)
      caller?.removeEventListener("abort", cancel)
    }
  }
}

/** Waits, at most until the call's signal is aborted. */
export const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(wake, Math.min(ms, longest_ms))
    signal.addEventListener("abort", wake)
  })
