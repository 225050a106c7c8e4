/** A request and its answer in a test, byte for byte. */
import type { ErrorCode, OAuthErrorCode } from "@postcode/api"
import { expect } from "vitest"

/** A request as sent. */
export interface Sent {
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
}

/** An answer as received. */
export interface Received {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** Lower-case names of all headers, including repetitions. */
  readonly headerNames: ReadonlyArray<string>
  readonly body: Uint8Array
  readonly text: string
}

/** An object with an id. */
export interface Identified {
  readonly id: string
}

/** Matches any timestamp of an answer: ISO 8601, UTC, in milliseconds. */
export const timestamp: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

/** The body as JSON. */
export const jsonOf = (received: Received): unknown => JSON.parse(received.text)

/** The `data` of an answer, which must be a success. */
export const dataOf = <Data>(received: Received): Data => {
  expect(received.status, received.text).toBeLessThan(300)
  return (jsonOf(received) as { readonly data: Data }).data
}

/** Status and code of a failure: `400 invalid_parameter`; of a success the status only. */
export const outcomeOf = (received: Received): string => {
  if (received.status < 400 || received.text === "") return String(received.status)
  return `${received.status} ${errorOf(received).code}`
}

/** Checks that an answer is a given failure, and that its message contains a text. */
export const expectFailure = (
  received: Received,
  outcome: `${number} ${ErrorCode | OAuthErrorCode}`,
  ...mentions: ReadonlyArray<string>
): void => {
  expect(outcomeOf(received), received.text).toBe(outcome)
  for (const mention of mentions) expect(errorOf(received).message).toContain(mention)
}

/** The error of a failure. */
export const errorOf = (received: Received): { readonly code: string; readonly message: string } => {
  const body = jsonOf(received) as OAuthError | { readonly error: { readonly code: string; readonly message: string } }
  return "error_description" in body ? { code: body.error, message: body.error_description } : body.error
}

/** RFC 6749, 5.2. */
interface OAuthError {
  readonly error: OAuthErrorCode
  readonly error_description: string
}
