/** Signs in with a passkey. The device names the account. */
import { Effect } from "effect"
import type { AuditLog } from "../../audit/AuditLog.ts"
import { auditedAll, timestamp } from "../../audit/audit.ts"
import type { InvalidToken, RateLimitExceeded, Unavailable } from "../../Errors.ts"
import type { RateLimiter } from "../../limits/RateLimiter.ts"
import type { Secrets } from "../../store/Secrets.ts"
import type { Transactions } from "../../store/Transactions.ts"
import { accountEntries } from "../accountEntry.ts"
import { limitAttempts } from "../limitAttempts.ts"
import type { ConsoleSessions } from "../sessions/ConsoleSessions.ts"
import { type SignedIn, startConsoleSession } from "../sessions/startConsoleSession.ts"
import { type PasskeySite, passkeyNotAccepted } from "./Passkey.ts"
import { PasskeyCeremonies } from "./PasskeyCeremonies.ts"
import { Passkeys } from "./Passkeys.ts"
import { passkeyChallenges } from "./passkeyChallenges.ts"

/** Challenge and assertion each count as an attempt of the address; an assertion also counts at the passkey. */
export interface SignInWithPasskey {
  /** A challenge for any passkey. */
  readonly challenge: (address: string) => Effect.Effect<string, RateLimitExceeded | Unavailable>
  readonly signIn: (request: {
    readonly credential: unknown
    readonly site: PasskeySite
    /** The client's address for rate limits. */
    readonly address: string
  }) => Effect.Effect<SignedIn, InvalidToken | RateLimitExceeded | Unavailable>
}

/** Every invalid assertion fails with `passkeyNotAccepted`. */
export const signInWithPasskey: Effect.Effect<
  SignInWithPasskey,
  never,
  AuditLog | ConsoleSessions | PasskeyCeremonies | Passkeys | RateLimiter | Secrets | Transactions
> = Effect.gen(function* () {
  const passkeys = yield* Passkeys
  const ceremonies = yield* PasskeyCeremonies
  const challenges = yield* passkeyChallenges
  const attempts = yield* limitAttempts
  const start = yield* startConsoleSession
  const withAudit = yield* auditedAll

  return {
    challenge: (address) => Effect.andThen(attempts.ofAddress(address), challenges.make(undefined)),

    signIn: Effect.fnUntraced(function* ({ address, credential, site }) {
      yield* attempts.ofAddress(address)
      const claim = ceremonies.read(credential)
      if (claim === undefined) return yield* passkeyNotAccepted
      yield* attempts.atAccount(claim.credential_id, address)
      const challenge = yield* challenges.take(claim.challenge)
      const found = yield* passkeys.find(claim.credential_id)
      // Challenges for registrations are not valid for sign-in.
      if (found === undefined || challenge === undefined || challenge.account_id !== undefined) {
        return yield* passkeyNotAccepted
      }
      const counter = yield* ceremonies.verifyUse(credential, claim.challenge, site, found.passkey)
      if (!(yield* passkeys.use(found.passkey.id, counter, yield* timestamp))) return yield* passkeyNotAccepted
      return yield* withAudit(start(found.credentials), ({ account }) =>
        accountEntries(account, "account.signed_in", account.id, { passkey: found.passkey.id })
      )
    })
  }
})
