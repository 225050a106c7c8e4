/** Sends any call, untyped: from a route and its input to a response. */
import type { Answer } from "./Answer.ts"
import { addressOf, baseOf } from "./address.ts"
import { answerTo, type Fetch } from "./call.ts"
import { type Credentials, callHeaders, commonHeaders, makeId } from "./headers.ts"
import type { MeteredOptions } from "./PostcodeClient.ts"
import type { Route } from "./Route.ts"
import { isCharged, isIdempotent, isMetered } from "./retries.ts"

/** The client's options: address, credentials, retries and timeout. */
export interface ClientOptions extends Credentials {
  /** The base URL of the service: `https://gateway.example`. */
  readonly baseUrl: string
  /** Replaces the runtime's `fetch`. */
  readonly fetch?: Fetch | undefined
  /** Maximum retries: 2 by default. */
  readonly retries?: number | undefined
  /** Timeout of a call with all its attempts: 30,000 by default. */
  readonly timeout_ms?: number | undefined
}

/** The input of any call. */
export interface Parts {
  readonly params?: unknown
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly body?: unknown
}

export type Send = (route: Route, input?: Parts, options?: MeteredOptions) => Promise<Answer<unknown>>

/** @throws TypeError if an option is invalid; the message repeats no credential */
export const senderOf = ({ baseUrl, fetch, retries = 2, timeout_ms = 30_000, ...credentials }: ClientOptions): Send => {
  const base = baseOf(baseUrl)
  const common = commonHeaders(credentials)
  return async (route, { body, params, query } = {}, { requestId, signal, ...options } = {}) => {
    const [method = "", path = ""] = route.split(" ")
    const made = isCharged(route, query) ? makeId() : undefined
    const idempotencyKey = isMetered(route) ? (options.idempotencyKey ?? made) : undefined
    return answerTo({
      url: base + addressOf(path, { params, query }),
      path: new URL(base).pathname.replace(/^\/$/, "") + path,
      init: {
        method,
        headers: callHeaders(common, body !== undefined, { idempotencyKey, requestId }),
        body: body === undefined ? null : JSON.stringify(body)
      },
      // Looked up at each call: `fetch` may be replaced after the client was created.
      fetch: fetch ?? globalThis.fetch,
      repeatable: isIdempotent(route, idempotencyKey),
      retries: options.retries ?? retries,
      timeout_ms: options.timeout_ms ?? timeout_ms,
      signal
    })
  }
}
