/** Who is calling: the principal of an API key. */
import { Clock, Effect, Redacted } from "effect"
import { isWellFormedKey, keyNotInForce, type Principal } from "../ApiKey.ts"
import { InvalidApiKey, type Unavailable } from "../Errors.ts"
import { ApiKeys } from "../ports/ApiKeys.ts"
import { Secrets } from "../ports/Secrets.ts"

/** The principal of a key in force. A key with a typo is refused by its checksum, without asking the store. */
export const authenticate: Effect.Effect<
  (key: Redacted.Redacted<string>) => Effect.Effect<Principal, InvalidApiKey | Unavailable>,
  never,
  ApiKeys | Secrets
> = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const secrets = yield* Secrets
  const clock = yield* Clock.Clock

  return (key) => {
    if (!isWellFormedKey(Redacted.value(key))) return Effect.fail(malformed)
    const now = new Date(clock.currentTimeMillisUnsafe()).toISOString()
    return Effect.flatMap(keys.findByHash(secrets.hash(key), now), (principal) =>
      principal === undefined ? Effect.fail(keyNotInForce) : Effect.succeed(principal)
    )
  }
})

const malformed = new InvalidApiKey({ message: "the API key is malformed: check that it was copied whole" })
