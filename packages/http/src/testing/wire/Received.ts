/** What a test sent and what came back, byte for byte. */
import type { ErrorCode } from "@postcode/api"
import { expect } from "vitest"

/** A request as it went out. */
export interface Sent {
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
}

/** An answer as it came. */
export interface Received {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** Every header's lower-case name as often as it came. */
  readonly headerNames: ReadonlyArray<string>
  readonly body: Uint8Array
  readonly text: string
}

/** Something under an id. */
export interface Identified {
  readonly id: string
}

/** Stands for any moment as answers hold it: ISO 8601, UTC, to the millisecond. */
export const timestamp: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

/** The body as JSON. */
export const jsonOf = (received: Received): unknown => JSON.parse(received.text)

/** What stands under `data`, after seeing that the answer is a success. */
export const dataOf = <Data>(received: Received): Data => {
  expect(received.status, received.text).toBeLessThan(300)
  return (jsonOf(received) as { readonly data: Data }).data
}

/** Status and code of a failure, in one line: `400 invalid_parameter`; of a success the status alone. */
export const outcomeOf = (received: Received): string => {
  if (received.status < 400 || received.text === "") return String(received.status)
  return `${received.status} ${errorOf(received).code}`
}

/** Sees that an answer is one failure of the table, and that its message names what it should. */
export const expectFailure = (
  received: Received,
  outcome: `${number} ${ErrorCode}`,
  ...mentions: ReadonlyArray<string>
): void => {
  expect(outcomeOf(received), received.text).toBe(outcome)
  for (const mention of mentions) expect(errorOf(received).message).toContain(mention)
}

/** The error of a failure. */
export const errorOf = (received: Received) =>
  (jsonOf(received) as { readonly error: { readonly code: string; readonly message: string } }).error
