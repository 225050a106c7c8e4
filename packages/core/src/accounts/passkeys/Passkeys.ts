/** Port: the passkeys of accounts, and the challenges that wait for an answer. Of a challenge the store has the hash. */
import { Context, type Effect } from "effect"
import type { Conflict, NotFound, Unavailable } from "../../Errors.ts"
import type { Credentials } from "../Accounts.ts"
import type { Challenge, Passkey } from "./Passkey.ts"

/** A passkey, and what is known of the account that it is of. */
export interface FoundPasskey {
  readonly passkey: Passkey
  readonly credentials: Credentials
}

export class Passkeys extends Context.Service<
  Passkeys,
  {
    readonly keepChallenge: (hash: string, challenge: Challenge) => Effect.Effect<void, Unavailable>
    /** The challenge that counts at `now`, once: whoever takes it has it, and nobody else gets it. */
    readonly takeChallenge: (hash: string, now: string) => Effect.Effect<Challenge | undefined, Unavailable>
    /** `Conflict` if the credential is there already, or the account has all it may have; `NotFound` if it is gone. */
    readonly add: (passkey: Passkey) => Effect.Effect<void, Conflict | NotFound | Unavailable>
    /** Those of an account, newest first. */
    readonly list: (account_id: string) => Effect.Effect<ReadonlyArray<Passkey>, Unavailable>
    readonly find: (credential_id: string) => Effect.Effect<FoundPasskey | undefined, Unavailable>
    /**
     * Notes that a passkey was used. False, and nothing changes, if its counter did not rise since: then there are two of
     * it. A device that does not count says 0 each time.
     */
    readonly use: (id: string, counter: number, last_used_at: string) => Effect.Effect<boolean, Unavailable>
    /** Fails with `NotFound` unless the passkey is there and of that account. */
    readonly remove: (account_id: string, id: string) => Effect.Effect<void, NotFound | Unavailable>
  }
>()("@postcode/core/Passkeys") {}
