/** Who is calling: the principal of an API key, or the operator. */
import { Clock, Effect, Redacted } from "effect"
import { isWellFormedKey, keyNotInForce, type Principal } from "../ApiKey.ts"
import { AuthenticationRequired, InvalidApiKey, InvalidToken, type Unavailable } from "../Errors.ts"
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

/** Whether a bearer token is the operator's. */
export const authenticateOperator = (
  operatorToken: Redacted.Redacted<string>
): Effect.Effect<
  (token: Redacted.Redacted<string> | undefined) => Effect.Effect<void, AuthenticationRequired | InvalidToken>,
  never,
  Secrets
> =>
  Effect.gen(function* () {
    const secrets = yield* Secrets
    // Hashes are compared, so the time taken says nothing about how much of a guess was right.
    const expected = secrets.hash(operatorToken)
    return (token) => {
      if (token === undefined) return Effect.fail(missingToken)
      return secrets.hash(token) === expected ? Effect.void : Effect.fail(wrongToken)
    }
  })

const malformed = new InvalidApiKey({ message: "the API key is malformed: check that it was copied whole" })
const missingToken = new AuthenticationRequired({
  message: "the management API needs the operator token: send it as Authorization: Bearer <token>"
})
const wrongToken = new InvalidToken({ message: "the operator token is not the one of this service" })
