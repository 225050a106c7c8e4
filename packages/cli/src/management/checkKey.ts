/** Checks an API key by a free request. */
import { randomBytes } from "node:crypto"
import { visiblePrefix } from "@postcode/gateway/keys/ApiKey"
import type { CommandFailure } from "@postcode/server/process/ExitCode"
import { Effect, Redacted } from "effect"
import { clientWithKey, type KeyedConnection } from "./apiKey.ts"
import { failureOf } from "./connect.ts"
import { inLetters } from "./letterHash.ts"

/** What the service says of a key. */
export interface KeyCheck {
  /** The part of the key that may be shown. */
  readonly key: string
  /** The balance of the key's environment; null where the service does not show it, as for publishable keys. */
  readonly credits_left: number | null
}

/** Fails if the service refuses the key. */
export const checkKey = (connection: KeyedConnection): Effect.Effect<KeyCheck, CommandFailure> =>
  Effect.tryPromise({
    try: (signal) =>
      clientWithKey(connection).lookup({ code: anyPostcode, level: 1 }, { signal, idempotencyKey: newId() }),
    catch: (error) => failureOf(error, connection)
  }).pipe(
    Effect.map(({ meta }) => ({
      key: visiblePrefix(Redacted.value(connection.key)),
      credits_left: meta.credits?.remaining ?? null
    }))
  )

/** A lookup at level 1 is free for every key; with an idempotency key, its response has the balance. */
const newId = (): string => `check-${inLetters(randomBytes(16).toString("hex"))}`

/** It need not exist. */
const anyPostcode = "LA-11-B03-PD-01"
