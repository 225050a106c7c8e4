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
  /** The whole body, or a failure as soon as it proves longer than allowed. */
  readonly body: (maximum_bytes: number) => Effect.Effect<Uint8Array, BodyTooLarge>
}

/** The body is longer than allowed; the rest was not read. */
export class BodyTooLarge {
  readonly _tag = "BodyTooLarge"
}

/** One response, whole. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Absent for HEAD and 204; `content-length` is in the headers all the same where it applies. */
  readonly body: string | Uint8Array | undefined
}
