/** Any call, before its types: from a route and its input to an answer. */
import type { Answer } from "./Answer.ts"
import { addressOf, baseOf } from "./address.ts"
import { answerTo, type Fetch } from "./call.ts"
import { type Credentials, callHeaders, commonHeaders, makeId } from "./headers.ts"
import type { MeteredOptions } from "./PostcodeClient.ts"
import type { Route } from "./Route.ts"
import { isCharged, isMetered, isRepeatable } from "./repeating.ts"

/** Where the service is, who asks, and how patiently. */
export interface ClientOptions extends Credentials {
  /** Where the service is: `https://gateway.example`. */
  readonly baseUrl: string
  /** Sends requests in place of the runtime's `fetch`. */
  readonly fetch?: Fetch | undefined
  /** How many attempts may follow the first one: 2 unless told. */
  readonly retries?: number | undefined
  /** How long a call may take with all its attempts: 30,000 unless told. */
  readonly timeout_ms?: number | undefined
}

/** What the input of any call can have. */
export interface Parts {
  readonly params?: unknown
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly body?: unknown
}

export type Send = (route: Route, input?: Parts, options?: MeteredOptions) => Promise<Answer<unknown>>

/** @throws TypeError if an option is none that can be used; the message repeats no credential */
export const senderOf = ({ baseUrl, fetch, retries = 2, timeout_ms = 30_000, ...credentials }: ClientOptions): Send => {
  const base = baseOf(baseUrl)
  const common = commonHeaders(credentials)
  return async (route, { body, params, query } = {}, { requestId, signal, ...options } = {}) => {
    const [method = "", path = ""] = route.split(" ")
    const made = isCharged(route, query) ? makeId() : undefined
    const idempotencyKey = isMetered(route) ? (options.idempotencyKey ?? made) : undefined
    return answerTo({
      url: base + addressOf(path, { params, query }),
      init: {
        method,
        headers: callHeaders(common, body !== undefined, { idempotencyKey, requestId }),
        body: body === undefined ? null : JSON.stringify(body)
      },
      // Looked up for each call: what stands in its place may come after the client was made.
      fetch: fetch ?? globalThis.fetch,
      repeatable: isRepeatable(route, idempotencyKey),
      retries: options.retries ?? retries,
      timeout_ms: options.timeout_ms ?? timeout_ms,
      signal
    })
  }
}
