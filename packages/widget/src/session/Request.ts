/** Failed requests to the service. */

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
