/** Authenticates an API key. */
import { Clock, Effect, Exit } from "effect"
import { InvalidApiKey, type Unavailable, unknownKey } from "../Errors.ts"
import { Secrets } from "../store/Secrets.ts"
import { isWellFormedKey, managementKeyPrefix, maxKeyLength, type Principal } from "./ApiKey.ts"
import { ApiKeys } from "./ApiKeys.ts"

/**
 * The principal of an active key, given as sent. A mistyped key fails by its checksum without a query. The key is
 * hashed here and not passed on.
 */
export const authenticate: Effect.Effect<
  (key: string) => Effect.Effect<Principal, InvalidApiKey | Unavailable>,
  never,
  ApiKeys | Secrets
> = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const secrets = yield* Secrets
  const now = timestamps(yield* Clock.Clock)

  return (key) => {
    if (key.length > maxKeyLength) return malformed
    const found = keys.findByHash(secrets.hashSent(key), now())
    // A known key is well formed, and the checksum costs as much as the hash, so it is checked only for unknown keys.
    if (isAtHand(found)) return found
    if (!isWellFormedKey(key)) return key.startsWith(managementKeyPrefix) ? misplaced : malformed
    return Effect.flatMapEager(found, (principal) =>
      principal === undefined ? Exit.fail(unknownKey) : Exit.succeed(principal)
    )
  }
})

const isAtHand = (found: Effect.Effect<Principal | undefined, unknown>): found is Exit.Success<Principal> =>
  Exit.isExit(found) && Exit.isSuccess(found) && found.value !== undefined

const misplaced = Exit.fail(
  new InvalidApiKey({
    message: "a management key is no API key: send it as Authorization: Bearer <key>, to /v1/admin alone"
  })
)

const malformed = Exit.fail(new InvalidApiKey({ message: "the API key is malformed: check that it was copied whole" }))

/** The current time in ISO 8601, formatted once per millisecond for all requests in it. */
const timestamps = (clock: Clock.Clock): (() => string) => {
  let last_ms = Number.NaN
  let written = ""
  return () => {
    const now_ms = clock.currentTimeMillisUnsafe()
    if (now_ms !== last_ms) {
      last_ms = now_ms
      written = new Date(now_ms).toISOString()
    }
    return written
  }
}
