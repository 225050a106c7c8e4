/** One request to the service and its errors. */

/** A failed request. `code` and `message` are the service's, if it responded. */
export class Problem extends Error {
  /** The HTTP status; 0 if there was no response. */
  readonly status: number
  /**
   * The service's code, such as `insufficient_credits`; without a response of the service `offline` or
   * `unexpected_answer`.
   */
  readonly code: string
  /** The service's `Retry-After`. */
  readonly retryAfter_s: number

  constructor(status: number, code: string, message: string, retryAfter_s = 0) {
    super(message)
    this.status = status
    this.code = code
    this.retryAfter_s = retryAfter_s
  }

  /** For logs: the message of an error is otherwise missing in JSON. */
  toJSON(): { readonly status: number; readonly code: string; readonly message: string } {
    return { status: this.status, code: this.code, message: this.message }
  }
}

/** Removes slashes at the end of an address. */
export const urlOf = (text: string): string => text.replace(/\/+$/, "")

const timeout_ms = 10_000

/**
 * The `data` of the response.
 *
 * @throws Problem, or the signal's reason once it is aborted
 */
export const request = async <A>(url: string, signal: AbortSignal, init: RequestInit = {}): Promise<A> => {
  const response = await send(url, signal, init)
  const body: unknown = await response.json().catch(() => undefined)
  signal.throwIfAborted()
  const { data, error } = (body ?? {}) as Envelope<A>
  if (response.ok && data !== undefined) return data
  throw new Problem(
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

const send = async (url: string, signal: AbortSignal, init: RequestInit): Promise<Response> => {
  try {
    const either = AbortSignal.any([signal, AbortSignal.timeout(timeout_ms)])
    return await fetch(url, { credentials: "omit", cache: "no-store", ...init, signal: either })
  } catch (error) {
    signal.throwIfAborted()
    throw new Problem(0, "offline", String(error))
  }
}
