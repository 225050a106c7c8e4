/** Port: console sessions. The store has the hash of a session's token, never the token. */
import { Context, type Effect } from "effect"
import type { Unavailable } from "../../Errors.ts"
import type { Account } from "../Account.ts"

/** A console session, stored under the hash of its token. */
export interface ConsoleSession {
  readonly account_id: string
  /** The account's epoch when the password was verified, see `Credentials`. */
  readonly epoch: number
  readonly created_at: string
  /** The end of the session, unless it is extended. */
  readonly ends_at: string
}

export class ConsoleSessions extends Context.Service<
  ConsoleSessions,
  {
    readonly start: (hash: string, session: ConsoleSession) => Effect.Effect<void, Unavailable>
    /**
     * The valid session of a token at `now`, with its current account; undefined if there is none, or its account was
     * removed, or the account's sessions were ended.
     */
    readonly find: (
      hash: string,
      now: string
    ) => Effect.Effect<{ readonly session: ConsoleSession; readonly account: Account } | undefined, Unavailable>
    /** Changes the end of a session. Does nothing if the session does not exist. */
    readonly extend: (hash: string, ends_at: string) => Effect.Effect<void, Unavailable>
    readonly end: (hash: string) => Effect.Effect<void, Unavailable>
  }
>()("@postcode/gateway/ConsoleSessions") {}
