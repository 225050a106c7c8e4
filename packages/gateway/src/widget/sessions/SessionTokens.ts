/** Port: tokens of widget sessions. A token is a bearer credential; only the service can issue one. */
import { Context, type Effect, type Redacted } from "effect"
import type { InvalidToken } from "../../Errors.ts"
import type { WidgetSession } from "./WidgetSession.ts"

export class SessionTokens extends Context.Service<
  SessionTokens,
  {
    /** A token for the session, valid for `sessionLifetime_s` from now. */
    readonly sign: (session: WidgetSession) => Effect.Effect<Redacted.Redacted<string>>
    /**
     * The session of a token. Every invalid token fails with the same `InvalidToken`: forged, of another kind, or
     * expired. The session's key is not checked.
     */
    readonly verify: (token: Redacted.Redacted<string>) => Effect.Effect<WidgetSession, InvalidToken>
  }
>()("@postcode/gateway/SessionTokens") {}
