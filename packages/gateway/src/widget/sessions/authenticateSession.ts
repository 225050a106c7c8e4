/** Authenticates the bearer token of a widget session. */
import { Clock, Effect, type Redacted } from "effect"
import {
  AuthRequired,
  type InvalidToken,
  type KybRequired,
  type OrganizationSuspended,
  type OriginNotAllowed,
  type Unavailable
} from "../../Errors.ts"
import { authorizeActive, authorizeOrigin, authorizeVerified, type Principal } from "../../keys/ApiKey.ts"
import { ApiKeys } from "../../keys/ApiKeys.ts"
import { Secrets } from "../../store/Secrets.ts"
import { SessionTokens } from "./SessionTokens.ts"
import { type ActiveSession, invalidWidgetSession, type WidgetSession } from "./WidgetSession.ts"

/**
 * Requires a valid token, an active key, and, if the request has an `Origin`, the origin of the session. Requests
 * without an `Origin` are not from a browser and pass. Fails with `OrganizationSuspended` if the key's organization is
 * suspended, with `OriginNotAllowed` if the key no longer lists the session's origin, and with `KybRequired` if the key is live and its organization is no longer verified.
 */
export const authenticateSession: Effect.Effect<
  (
    token: Redacted.Redacted<string> | undefined,
    origin: string | undefined
  ) => Effect.Effect<
    ActiveSession,
    AuthRequired | InvalidToken | KybRequired | OrganizationSuspended | OriginNotAllowed | Unavailable
  >,
  never,
  ApiKeys | Secrets | SessionTokens
> = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const tokens = yield* SessionTokens
  const secrets = yield* Secrets
  const clock = yield* Clock.Clock

  return Effect.fnUntraced(function* (token, origin) {
    if (token === undefined) return yield* missingToken
    const session = yield* tokens.verify(token)
    if (origin !== undefined && origin !== session.origin) return yield* invalidWidgetSession
    const now = new Date(clock.currentTimeMillisUnsafe()).toISOString()
    const found = keys.findById(session.key_id, now)
    const principal = yield* Effect.catchTag(found, "InvalidApiKey", () => Effect.fail(invalidWidgetSession))
    if (principal === undefined || !isOf(session, principal)) return yield* invalidWidgetSession
    yield* Effect.fromResult(authorizeActive(principal))
    // The key may have lost the origin since.
    yield* Effect.fromResult(authorizeOrigin(principal, session.origin))
    yield* Effect.fromResult(authorizeVerified(principal))
    return { ...session, id: session.shared_id ?? secrets.hash(token), principal }
  })
})

const missingToken = new AuthRequired({
  message: "this endpoint needs a widget session: send its token as Authorization: Bearer <token>"
})

/** The ids differ if the token was issued for another store with the same signing key. */
const isOf = (session: WidgetSession, principal: Principal): boolean =>
  session.organization_id === principal.organization_id && session.environment === principal.environment
