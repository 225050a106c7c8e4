/** How the first operator comes to an instance that has none: by a link that counts once. */
import { Clock, Effect, Redacted } from "effect"
import { invitation_ms, tokenLength } from "../Account.ts"
import type { Unavailable } from "../Errors.ts"
import { Accounts } from "../ports/Accounts.ts"
import { Secrets } from "../ports/Secrets.ts"
import { newId } from "./audit.ts"

/**
 * The token of an invitation for the first operator, or undefined if there is an operator. Each replica that starts makes
 * its own; the first one that is accepted ends all.
 */
export const claimInstance: Effect.Effect<
  Effect.Effect<Redacted.Redacted<string> | undefined, Unavailable>,
  never,
  Accounts | Secrets
> = Effect.gen(function* () {
  const accounts = yield* Accounts
  const secrets = yield* Secrets
  const identify = yield* newId

  return Effect.gen(function* () {
    if (yield* accounts.hasOperator()) return undefined
    const token = Redacted.make(secrets.random(tokenLength))
    const now_ms = yield* Clock.currentTimeMillis
    const invitation = {
      id: identify("inv"),
      role: "operator",
      created_by: "service",
      created_at: new Date(now_ms).toISOString(),
      expires_at: new Date(now_ms + invitation_ms).toISOString(),
      is_claim: true
    } as const
    // It belongs to no organization and nobody's account makes it, so neither can be missing.
    yield* Effect.catchTag(accounts.invite(invitation, secrets.hash(token)), ["InvalidToken", "NotFound"], Effect.die)
    return token
  })
})
