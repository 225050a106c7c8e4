import { setTimeout } from "node:timers/promises"

/**
 * Waits until a condition holds.
 *
 * @param what the condition in words, for the error
 * @param interval_ms the time between two checks
 * @throws Error after three minutes
 */
export const until = async (
  what: string,
  holds: () => boolean | Promise<boolean>,
  interval_ms = 100
): Promise<void> => {
  const end_ms = performance.now() + timeout_ms
  while (!(await holds())) {
    if (performance.now() > end_ms) throw new Error(`${timeout_ms / 1_000} s without ${what}`)
    await setTimeout(interval_ms)
  }
}

const timeout_ms = 180_000
