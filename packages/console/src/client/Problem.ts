/** The error of a call, with a message for people. */

/** The fields of a problem. */
export interface ProblemFields {
  /** The HTTP status; 0 if there was no response. */
  readonly status: number
  /** A code of the service, or `offline` or `unexpected_answer`. */
  readonly code: string
  readonly message: string
  /** The request id, to find the request in a log. */
  readonly requestId?: string | undefined
  /** Seconds until another attempt may succeed. */
  readonly retryAfter_s?: number | undefined
  /** The path of the guide to the error. */
  readonly guide?: string | undefined
}

/** A failed call, or an error of the console itself. */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | undefined
  readonly retryAfter_s: number | undefined
  readonly guide: string | undefined

  constructor({ code, guide, message, requestId, retryAfter_s, status }: ProblemFields) {
    super(message)
    this.status = status
    this.code = code
    this.requestId = requestId
    this.retryAfter_s = retryAfter_s
    this.guide = guide
  }
}

/** Converts any thrown value to a problem. */
export const problemOf = (thrown: unknown): Problem =>
  thrown instanceof Problem
    ? thrown
    : new Problem({ status: 0, code: "unexpected_answer", message: `the console failed: ${String(thrown)}` })

/** The service's message about a field: such messages begin with the field's name. */
export const messageOn = (problem: Problem | undefined, field: string): string | undefined =>
  problem?.status === 400 && problem.message.startsWith(`${field}: `)
    ? problem.message.slice(field.length + 2)
    : undefined
