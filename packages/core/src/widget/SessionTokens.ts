/** Port: the tokens of widget sessions. Whoever has one has the session, and nobody else can make one. */
import { Context, type Effect, type Redacted } from "effect"
import type { InvalidToken } from "../Errors.ts"
import type { WidgetSession } from "./WidgetSession.ts"

export class SessionTokens extends Context.Service<
  SessionTokens,
  {
    /** A token of the session, in force from now on for `sessionLifetime_s`. */
    readonly sign: (session: WidgetSession) => Effect.Effect<Redacted.Redacted<string>>
    /**
     * The session of a token. Fails with `InvalidToken` for whatever is no token that was signed here for widget
     * sessions and is in force now; all of it fails alike. It does not say whether the key of the session is in force.
     */
    readonly verify: (token: Redacted.Redacted<string>) => Effect.Effect<WidgetSession, InvalidToken>
  }
>()("@postcode/core/SessionTokens") {}
