/** One request to the service. Loaded at the first focus. */
import type { Problem } from "./Request.ts"

const timeout_ms = 10_000

/** Sends a request. */
export type Ask = <A>(url: string, signal: AbortSignal, init?: RequestInit) => Promise<A>

/**
 * Makes the function that returns the `data` of a response.
 *
 * @param failure shared with the entry; thrown, or the signal's reason once it is aborted
 */
export const asker =
  (failure: typeof Problem): Ask =>
  async <A>(url: string, signal: AbortSignal, init: RequestInit = {}): Promise<A> => {
    const response = await send(failure, url, signal, init)
    const body: unknown = await response.json().catch(() => undefined)
    signal.throwIfAborted()
    const { data, error } = (body ?? {}) as Envelope<A>
    if (response.ok && data !== undefined) return data
    throw new failure(
      response.status,
      error?.code ?? "unexpected_answer",
      error?.message ?? "",
      secondsUntil(response.headers.get("retry-after") ?? "")
    )
  }

interface Envelope<A> {
  readonly data?: A
  readonly error?: { readonly code: string; readonly message: string }
}

/** `Retry-After` is a number of seconds or a date. */
const secondsUntil = (text: string): number => {
  return Math.max(0, Number(text) || (Date.parse(text) - Date.now()) / 1000 || 0)
}

const send = async (
  failure: typeof Problem,
  url: string,
  signal: AbortSignal,
  init: RequestInit
): Promise<Response> => {
  try {
    // Browsers before 2024 wait as long as the network does.
    const either = AbortSignal.any?.([signal, AbortSignal.timeout(timeout_ms)])
    return await fetch(url, { credentials: "omit", cache: "no-store", ...init, signal: either ?? signal })
  } catch (error) {
    signal.throwIfAborted()
    throw new failure(0, "offline", String(error))
  }
}
