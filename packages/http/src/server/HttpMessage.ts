/** Requests and responses, independent of the server. The adapters for Node and fetch translate to these types. */
import type { Effect } from "effect"

/** A request as received. */
export interface HttpRequest {
  readonly method: string
  /** Path and query as sent: `/v1/lookup?code=…`. */
  readonly target: string
  /** A header's value by its lower-case name; undefined if it was not sent. */
  readonly header: (name: string) => string | undefined
  /** The peer's IP address. */
  readonly peer_address: string
  /** The arrival time, by `performance.now()`; by default the time when the gateway starts to answer. */
  readonly received_ms?: number
  /** The trace of the request; absent if it is not recorded. */
  readonly trace_id?: string
  /** The whole body, or a failure if it is longer than allowed. */
  readonly body: (maximum_bytes: number) => Effect.Effect<Uint8Array, BodyTooLarge | BodyBroken>
}

/** The body is longer than allowed. */
export class BodyTooLarge {
  readonly _tag = "BodyTooLarge"
}

/** The body did not arrive whole. */
export class BodyBroken {
  readonly _tag = "BodyBroken"
}

/**
 * The app around the service read the body before the service did. This is a fault of the app, so it is a defect:
 * clients get a 500, and the log tells the operator what to change.
 */
export const bodyAlreadyRead = new Error(
  "the body of this request was read before the gateway got it: mount the gateway before any body parser"
)

/** A complete response. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Undefined for HEAD, 204 and 304. For HEAD, the headers still have `content-length`. */
  readonly body: string | Uint8Array | undefined
}
