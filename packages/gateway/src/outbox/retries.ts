/** When an attempt that failed is made again. */
import { Redacted } from "effect"
import type { Secrets } from "../store/Secrets.ts"

/** A delay is up to this fraction longer. */
const jitter = 0.2

/**
 * The delay before the next attempt in milliseconds; undefined after the last one.
 *
 * @param delays_ms minimum delays, one for each further attempt
 * @param attempt number of the attempt that failed, from 1
 * @param spread from 0 to 1, so that simultaneous failures are not retried simultaneously
 */
export const retryDelay_ms = (
  delays_ms: ReadonlyArray<number>,
  attempt: number,
  spread: number
): number | undefined => {
  const delay_ms = delays_ms[attempt - 1]
  return delay_ms === undefined ? undefined : Math.round(delay_ms * (1 + spread * jitter))
}

/** A spread for `retryDelay_ms`: pseudo-random, but always the same for an attempt. */
export const spreadOf = (id: string, attempt: number, { hash }: Pick<Secrets["Service"], "hash">): number =>
  Number.parseInt(hash(Redacted.make(`${id} ${attempt}`)).slice(0, 8), 16) / 2 ** 32
