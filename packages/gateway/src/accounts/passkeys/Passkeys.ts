/** Port: passkeys of accounts, and pending challenges, which are stored as hashes. */
import { Context, type Effect } from "effect"
import type { Conflict, NotFound, Unavailable } from "../../Errors.ts"
import type { Credentials } from "../Accounts.ts"
import type { Challenge, Passkey } from "./Passkey.ts"

/** A passkey and its account. */
export interface FoundPasskey {
  readonly passkey: Passkey
  readonly credentials: Credentials
}

export class Passkeys extends Context.Service<
  Passkeys,
  {
    readonly keepChallenge: (hash: string, challenge: Challenge) => Effect.Effect<void, Unavailable>
    /** Takes a challenge that is valid at `now`. Each challenge is returned at most once. */
    readonly takeChallenge: (hash: string, now: string) => Effect.Effect<Challenge | undefined, Unavailable>
    /** `Conflict` if the credential exists or the account has the maximum; `NotFound` if the account does not exist. */
    readonly add: (passkey: Passkey) => Effect.Effect<void, Conflict | NotFound | Unavailable>
    /** The passkeys of an account, newest first. */
    readonly list: (account_id: string) => Effect.Effect<ReadonlyArray<Passkey>, Unavailable>
    readonly find: (credential_id: string) => Effect.Effect<FoundPasskey | undefined, Unavailable>
    /**
     * Records a use. Returns false, without changes, if the counter did not increase, which indicates a cloned passkey.
     * Authenticators without a counter report 0.
     */
    readonly use: (id: string, counter: number, last_used_at: string) => Effect.Effect<boolean, Unavailable>
    /** Fails with `NotFound` if the account has no such passkey. */
    readonly remove: (account_id: string, id: string) => Effect.Effect<void, NotFound | Unavailable>
  }
>()("@postcode/gateway/Passkeys") {}
