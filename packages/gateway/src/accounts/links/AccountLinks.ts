/**
 * Port: links that are sent by mail, and whether an operator has stopped sign-ups. The store has the hash of a link's
 * token, never the token.
 */
import { Context, type Effect } from "effect"
import type { Unavailable } from "../../Errors.ts"
import type { AccountLink, AccountLinkKind, SignUpOrigin } from "./AccountLink.ts"

export class AccountLinks extends Context.Service<
  AccountLinks,
  {
    /** Stores a link under its token's hash. */
    readonly add: (hash: string, link: AccountLink) => Effect.Effect<void, Unavailable>
    /**
     * Stores the link of a sign-up; false, without storing it, above one of `SignUpLimits`, also with concurrent
     * requests.
     */
    readonly addSignUp: (hash: string, link: AccountLink, origin: SignUpOrigin) => Effect.Effect<boolean, Unavailable>
    /** The link of a token, if it is of this kind and works at `now`; else undefined. */
    readonly find: (
      hash: string,
      kind: AccountLinkKind,
      now: string
    ) => Effect.Effect<AccountLink | undefined, Unavailable>
    /** The same, and uses the link up: of concurrent calls, one gets it. */
    readonly take: (
      hash: string,
      kind: AccountLinkKind,
      now: string
    ) => Effect.Effect<AccountLink | undefined, Unavailable>
    /** Makes an account's links of a kind invalid. */
    readonly end: (account_id: string, kind: AccountLinkKind) => Effect.Effect<void, Unavailable>
    /** Whether an operator has stopped sign-ups. Reads the store on every call, so it counts on all replicas at once. */
    readonly isSignUpStopped: () => Effect.Effect<boolean, Unavailable>
    /** Stops sign-ups, or takes them again. Returns whether that is a change. */
    readonly stopSignUp: (isStopped: boolean) => Effect.Effect<boolean, Unavailable>
  }
>()("@postcode/gateway/AccountLinks") {}
