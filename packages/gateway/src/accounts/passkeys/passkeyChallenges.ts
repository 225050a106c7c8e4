/** Random challenges for passkeys, stored as hashes and valid once. */
import { Clock, Effect, Redacted } from "effect"
import { timestamp } from "../../audit/audit.ts"
import type { Unavailable } from "../../Errors.ts"
import { Secrets } from "../../store/Secrets.ts"
import { type Challenge, challenge_ms, challengeLength } from "./Passkey.ts"
import { Passkeys } from "./Passkeys.ts"

/** Creates and takes challenges. */
export interface PasskeyChallenges {
  /** @param account_id the account that registers a passkey; undefined for sign-in */
  readonly make: (account_id: string | undefined) => Effect.Effect<string, Unavailable>
  /** Undefined for an invalid challenge: foreign, expired or already used. */
  readonly take: (challenge: string) => Effect.Effect<Challenge | undefined, Unavailable>
}

/** A challenge has `challengeLength` characters and is valid for `challenge_ms`. */
export const passkeyChallenges: Effect.Effect<PasskeyChallenges, never, Passkeys | Secrets> = Effect.gen(function* () {
  const passkeys = yield* Passkeys
  const secrets = yield* Secrets
  const hash = (challenge: string) => secrets.hash(Redacted.make(challenge))

  return {
    make: Effect.fnUntraced(function* (account_id) {
      const challenge = secrets.random(challengeLength)
      const expires_at = new Date((yield* Clock.currentTimeMillis) + challenge_ms).toISOString()
      yield* passkeys.keepChallenge(hash(challenge), { account_id, expires_at })
      return challenge
    }),
    take: (challenge) => Effect.flatMap(timestamp, (now) => passkeys.takeChallenge(hash(challenge), now))
  }
})
