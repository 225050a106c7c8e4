/** Request headers: the client's options and the ids of a call. */

export interface Credentials {
  /** Sent as `X-API-Key`. A secret key must not be used in a page or an app. */
  readonly apiKey?: string | undefined
  /** Sent in `Authorization`: a management key, the operator token, or the token of a widget session. */
  readonly token?: string | undefined
  /** Additional headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/**
 * The headers of every request.
 *
 * @throws TypeError if a value is not a valid header; unlike the runtime's, the message does not repeat it
 */
export const commonHeaders = ({ apiKey, headers: others = {}, token }: Credentials): Headers => {
  const headers = headersOf(others)
  if (apiKey !== undefined)
    headers.set(
      "x-api-key",
      checked("apiKey", apiKey, /^(?!["'])[!-~]+$/, "the key as it was given, without Bearer, quotes or spaces")
    )
  if (token !== undefined)
    headers.set("authorization", `Bearer ${checked("token", token, visible, "the token as it was given")}`)
  return headers
}

export interface Ids {
  readonly idempotencyKey?: string | undefined
  readonly requestId?: string | undefined
}

/**
 * The headers of one call, the same at each attempt. A request id generated here finds the call in the log even if no
 * response came. It is generated only if there are other headers: a request without any needs no preflight.
 *
 * @throws TypeError if an id is not a valid header
 */
export const callHeaders = (common: Headers, hasBody: boolean, { idempotencyKey, requestId }: Ids): Headers => {
  const headers = new Headers(common)
  if (hasBody) headers.set("content-type", "application/json")
  if (idempotencyKey !== undefined)
    headers.set(
      "idempotency-key",
      checked("idempotencyKey", idempotencyKey, /^[!-~][ -~]{0,127}$/, "1 to 128 printable ASCII characters")
    )
  if (requestId !== undefined)
    headers.set(
      "x-request-id",
      checked("requestId", requestId, /^[\w.:-]{1,64}$/, "1 to 64 of the characters A–Z a–z 0–9 . _ : -")
    )
  else if (!headers.has("x-request-id") && [...headers].length > 0) headers.set("x-request-id", makeId())
  return headers
}

/** 96 random bits as letters: digits could look like a NIN. Also works on pages without TLS. */
export const makeId = (): string =>
  String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24)).map((byte) => 97 + (byte & 15)))

const visible = /^[!-~]+$/

const checked = (name: string, value: string, pattern: RegExp, expectation: string): string => {
  if (!pattern.test(value)) throw new TypeError(`${name}: expected ${expectation}`)
  return value
}

const headersOf = (given: Readonly<Record<string, string>>): Headers => {
  try {
    return new Headers(given)
  } catch {
    throw new TypeError("headers: expected valid HTTP names and values")
  }
}
