/** Why a call got no good answer: one class, and one member of a union for each code. */
import type { ErrorCodes } from "./Contract.ts"
import type { Meta } from "./Meta.ts"

/**
 * A failure of a call. `code` says which:
 *
 * - a code of the service, with its HTTP status
 * - `network_error`: no answer came, or only a part of one; `cause` says what the runtime knows
 * - `timeout`: the call's time was up; `cause` is the failure of the last attempt that ended
 * - `unexpected_answer`: what came is no answer of the service, such as the page of a proxy
 *
 * `message` is for people. It holds neither a key nor a token, nor what was sent.
 */
export type PostcodeError =
  | { [S in keyof ErrorCodes]: Failure<ErrorCodes[S], S, S extends 429 | 503 ? number : undefined> }[keyof ErrorCodes]
  | Failure<"network_error" | "timeout", 0, undefined>
  | Failure<"unexpected_answer", number, number | undefined>

/** Every code of a failure. */
export type PostcodeErrorCode = PostcodeError["code"]

/** What a failure is made of. */
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
  /** The HTTP status; 0 if there was no answer. */
  readonly status: Status
  /** What the service calls the request, or the id that it was sent with. Tell it to whoever runs the service. */
  readonly request_id: string | undefined
  /** After how many seconds another attempt may succeed. */
  readonly retry_after_s: RetryAfter
  readonly meta: Meta
}

interface PostcodeErrorClass {
  new (fields: PostcodeErrorFields): PostcodeError
  readonly prototype: PostcodeError
}

/** For `instanceof`, which tells only this copy of the package: `isPostcodeError` knows those of others, too. */
export const PostcodeError = class extends Error {
  // Bundlers rename classes, and what prints errors goes by this.
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
} as unknown as PostcodeErrorClass

/** Whether what was thrown is a failure of a call. Then `code` tells them apart. */
export const isPostcodeError = (thrown: unknown): thrown is PostcodeError =>
  thrown instanceof Error && thrown.name === "PostcodeError" && "code" in thrown
