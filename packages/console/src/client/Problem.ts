/** Why a call got no good answer, for people to read. */

/** What a problem is made of. */
export interface ProblemFields {
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number
  /** A code of the service, or `offline` or `unexpected_answer`. */
  readonly code: string
  readonly message: string
  /** What the service calls the request, for whoever looks for it in a log. */
  readonly requestId?: string | undefined
  /** After how many seconds another try may succeed. */
  readonly retryAfter_s?: number | undefined
}

/** A call that failed, or the console itself. */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | undefined
  readonly retryAfter_s: number | undefined

  constructor({ code, message, requestId, retryAfter_s, status }: ProblemFields) {
    super(message)
    this.status = status
    this.code = code
    this.requestId = requestId
    this.retryAfter_s = retryAfter_s
  }
}

/** What was thrown as a problem: a fault of the console itself is one as well. */
export const problemOf = (thrown: unknown): Problem =>
  thrown instanceof Problem
    ? thrown
    : new Problem({ status: 0, code: "unexpected_answer", message: `the console failed: ${String(thrown)}` })

/** What the service says of a field: its messages begin with the field's name. */
export const messageOn = (problem: Problem | undefined, field: string): string | undefined =>
  problem?.status === 400 && problem.message.startsWith(`${field}: `)
    ? problem.message.slice(field.length + 2)
    : undefined
