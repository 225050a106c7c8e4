/** What a server gives and takes, whatever server it is: the adapters for Node and fetch translate to this. */
import type { Effect } from "effect"

/** One request, as it came in. */
export interface HttpRequest {
  readonly method: string
  /** Path and query as sent: `/v1/lookup?code=…`. */
  readonly target: string
  /** A header's value by its lower-case name; undefined if it was not sent. */
  readonly header: (name: string) => string | undefined
  /** The peer's IP address. */
  readonly peer_address: string
  /** When it came in, by `performance.now()`; when it is answered, unless told. */
  readonly received_ms?: number
  /** The trace that it is recorded in; absent where it is not recorded. */
  readonly trace_id?: string
  /** The whole body, or a failure as soon as it proves longer than allowed. */
  readonly body: (maximum_bytes: number) => Effect.Effect<Uint8Array, BodyTooLarge | BodyBroken>
}

/** The body is longer than allowed; the rest was not read. */
export class BodyTooLarge {
  readonly _tag = "BodyTooLarge"
}

/** The body did not arrive whole. */
export class BodyBroken {
  readonly _tag = "BodyBroken"
}

/**
 * The app around the service read the body before the service could.
 *
 * A fault of the app, so a defect: clients get a 500, and the log says what to change.
 */
export const bodyAlreadyRead = new Error(
  "the body of this request was read before the gateway got it: mount the gateway before any body parser"
)

/** One response, whole. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Absent for HEAD and 204; `content-length` is in the headers all the same where it applies. */
  readonly body: string | Uint8Array | undefined
}
