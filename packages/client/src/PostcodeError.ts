/** Errors of calls: one class, and one member of a union for each code. */
import type { ErrorCodes } from "./Contract.ts"
import type { Meta } from "./Meta.ts"

/**
 * A failed call. `code` is one of:
 *
 * - a code of the service, with its HTTP status
 * - `network_error`: no response, or only a part of one; `cause` is the runtime's error
 * - `timeout`: the call timed out; `cause` is the error of the last completed attempt
 * - `unexpected_answer`: the response is not the service's, such as a proxy's page
 *
 * `message` is for people. It contains no key, no token and no input.
 */
export type PostcodeError =
  | { [S in keyof ErrorCodes]: Failure<ErrorCodes[S], S, S extends 429 | 503 ? number : undefined> }[keyof ErrorCodes]
  | Failure<"network_error" | "timeout", 0, undefined>
  | Failure<"unexpected_answer", number, number | undefined>

/** Every code of a failure. */
export type PostcodeErrorCode = PostcodeError["code"]

/** The fields of an error. */
export interface PostcodeErrorFields {
  readonly code: PostcodeErrorCode
  readonly message: string
  readonly retry_after_s?: number | undefined
  readonly meta: Meta
  readonly cause?: unknown
}

interface Failure<Code extends string, Status extends number, RetryAfter extends number | undefined> extends Error {
  readonly name: "PostcodeError"
  readonly code: Code
  /** The HTTP status; 0 if there was no response. */
  readonly status: Status
  /** The request id, to report to the service's operator. */
  readonly request_id: string | undefined
  /** Seconds until another attempt may succeed. */
  readonly retry_after_s: RetryAfter
  readonly meta: Meta
  /** For logs: the message of an error is otherwise missing in JSON. */
  readonly toJSON: () => Readonly<Record<string, unknown>>
}

interface PostcodeErrorClass {
  new (fields: PostcodeErrorFields): PostcodeError
  readonly prototype: PostcodeError
}

/** For `instanceof`, which works within one copy of the package; `isPostcodeError` recognizes those of other copies. */
export const PostcodeError = class extends Error {
  // Bundlers rename classes, and error printers use this name.
  static override readonly name = "PostcodeError"
  override readonly name = "PostcodeError"
  readonly code: PostcodeErrorCode
  readonly status: number
  readonly request_id: string | undefined
  readonly retry_after_s: number | undefined
  readonly meta: Meta

  constructor({ cause, code, message, meta, retry_after_s }: PostcodeErrorFields) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = meta.status
    this.request_id = meta.request_id
    this.retry_after_s = retry_after_s
    this.meta = meta
  }

  toJSON() {
    const { code, message, name, request_id, retry_after_s, status } = this
    return { name, code, status, message, request_id, retry_after_s }
  }
} as unknown as PostcodeErrorClass

/** Whether a thrown value is the error of a call. Then `code` tells which. */
export const isPostcodeError = (thrown: unknown): thrown is PostcodeError =>
  thrown instanceof Error && thrown.name === "PostcodeError" && "code" in thrown
