/** Port: the sessions of people who are signed in. The store holds the hash of a session's token, never the token. */
import { Context, type Effect } from "effect"
import type { Unavailable } from "../../Errors.ts"
import type { Account } from "../Account.ts"

/** A session of somebody in the console; it is kept under the hash of its token. */
export interface ConsoleSession {
  readonly account_id: string
  /** The account's number for sessions as it was when the password was checked, see `Credentials`. */
  readonly epoch: number
  readonly created_at: string
  /** From when on it counts no more, unless it is extended. */
  readonly ends_at: string
}

export class ConsoleSessions extends Context.Service<
  ConsoleSessions,
  {
    readonly start: (hash: string, session: ConsoleSession) => Effect.Effect<void, Unavailable>
    /**
     * The session of a token that counts at `now`, with its account as it is now; undefined if there is none, or the
     * account is gone, or its sessions were ended since.
     */
    readonly find: (
      hash: string,
      now: string
    ) => Effect.Effect<{ readonly session: ConsoleSession; readonly account: Account } | undefined, Unavailable>
    /** Moves the end of a session. Does nothing if there is none. */
    readonly extend: (hash: string, ends_at: string) => Effect.Effect<void, Unavailable>
    readonly end: (hash: string) => Effect.Effect<void, Unavailable>
  }
>()("@postcode/core/ConsoleSessions") {}
