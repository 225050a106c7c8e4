/** Checks an API key by a free request. */
import { visiblePrefix } from "@postcode/core/ApiKey"
import { Effect, Redacted } from "effect"
import type { CommandFailure } from "../ExitCode.ts"
import { clientWithKey, type KeyedConnection } from "./apiKey.ts"
import { failureOf } from "./connect.ts"

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
    // A lookup at level 1 is free for every key, and its response has the balance.
    try: (signal) => clientWithKey(connection).lookup({ code: anyPostcode, level: 1 }, { signal }),
    catch: (error) => failureOf(error, connection)
  }).pipe(
    Effect.map(({ meta }) => ({
      key: visiblePrefix(Redacted.value(connection.key)),
      credits_left: meta.credits?.remaining ?? null
    }))
  )

/** It need not exist. */
const anyPostcode = "LA-11-B03-PD-01"
