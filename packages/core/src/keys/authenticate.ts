/** Who is calling: the principal of an API key. */
import { Clock, Effect, Exit } from "effect"
import { InvalidApiKey, type Unavailable } from "../Errors.ts"
import { Secrets } from "../store/Secrets.ts"
import { isWellFormedKey, keyNotInForce, maxKeyLength, type Principal } from "./ApiKey.ts"
import { ApiKeys } from "./ApiKeys.ts"

/**
 * The principal of a key in force, given as it was sent. A key with a typo is refused by its checksum, without waiting for
 * the store. The key is hashed here, and goes no further.
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
    // Whoever is known has a key of the right form: to look at that takes as long as to hash it.
    if (isAtHand(found)) return found
    if (!isWellFormedKey(key)) return malformed
    return Effect.flatMapEager(found, (principal) =>
      principal === undefined ? Exit.fail(keyNotInForce) : Exit.succeed(principal)
    )
  }
})

const isAtHand = (found: Effect.Effect<Principal | undefined, unknown>): found is Exit.Success<Principal> =>
  Exit.isExit(found) && Exit.isSuccess(found) && found.value !== undefined

const malformed = Exit.fail(new InvalidApiKey({ message: "the API key is malformed: check that it was copied whole" }))

/** The time in ISO 8601. It is written once a millisecond, in which many requests may come. */
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
