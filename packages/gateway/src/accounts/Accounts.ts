/**
 * Port: accounts of people, and the invitations by which they come. The store holds the hash of an invitation's token, and
 * of a password what `Passwords` makes of it; never the token or the password.
 *
 * Also with concurrent calls: an invitation creates one account, a claim creates the first operator, and neither an
 * organization that has owners nor an instance that has operators loses the last of them. An invitation counts until it
 * expires, is accepted or withdrawn, and a claim only as long as there is no operator.
 */
import { Context, type Effect } from "effect"
import type { Conflict, InvalidParameter, InvalidToken, NotFound, Unavailable } from "../Errors.ts"
import type { MemberRole } from "../ManagementAccess.ts"
import type { Page, PageRequest } from "../Page.ts"
import type { Account, Invitation } from "./Account.ts"

/** An organization, or the instance. */
export interface AccountScope {
  readonly organization_id: string | undefined
}

/** A new account; its role is that of the invitation. */
export type NewAccount = Pick<Account, "created_at" | "email" | "id" | "name"> & { readonly password: string }

/** An account and its credentials, for sign-in only. */
export interface Credentials {
  readonly account: Account
  /** The output of `Passwords.hash`. */
  readonly password: string
  /** Only sessions with this number are valid; ending all sessions increments it. */
  readonly epoch: number
}

/** A change of an account; absent fields stay. */
export interface AccountChange {
  readonly name?: string
  /** For members only: an operator's role cannot change. */
  readonly role?: MemberRole
  readonly password?: string
  /** Optimistic lock: the change fails if the account's `epoch` differs, see `Credentials`. */
  readonly epoch?: number
  /** Whether the change ends all sessions of the account. */
  readonly ends_sessions: boolean
  /** Whether the change revokes the account's pending invitations. */
  readonly withdraws_invitations: boolean
}

export class Accounts extends Context.Service<
  Accounts,
  {
    /**
     * Stores an invitation under its token's hash. Fails with `NotFound` if its organization does not exist, and with
     * `invalidConsoleSession` if `maker` no longer has an account in that role, so that revoking an account's
     * invitations cannot miss one. Fails with `tooManyInvitations` if the organization has `maxOpenInvitations` that
     * are valid when this one is created, also with concurrent requests.
     */
    readonly invite: (
      invitation: Invitation,
      hash: string,
      maker?: Pick<Account, "id" | "role">
    ) => Effect.Effect<void, Conflict | InvalidToken | NotFound | Unavailable>
    /** The valid invitations at `now`, newest first. */
    readonly invitations: (
      scope: AccountScope,
      now: string,
      page: PageRequest
    ) => Effect.Effect<Page<Invitation>, InvalidParameter | Unavailable>
    readonly invitation: (id: string) => Effect.Effect<Invitation, NotFound | Unavailable>
    /** The invitation of a token, if it is valid at `now`; else undefined. */
    readonly invitationOf: (hash: string, now: string) => Effect.Effect<Invitation | undefined, Unavailable>
    readonly withdraw: (id: string) => Effect.Effect<void, NotFound | Unavailable>
    /**
     * Creates the account of an invitation and uses the invitation up. Fails with `NotFound` if the token has no valid
     * invitation at `now`, and with `Conflict`, leaving the invitation valid, if the email has an account. Both
     * failures take about the same work.
     */
    readonly accept: (
      hash: string,
      account: NewAccount,
      now: string
    ) => Effect.Effect<Credentials, Conflict | NotFound | Unavailable>
    readonly hasOperator: () => Effect.Effect<boolean, Unavailable>
    readonly find: (id: string) => Effect.Effect<Credentials, NotFound | Unavailable>
    readonly findByEmail: (email: string) => Effect.Effect<Credentials | undefined, Unavailable>
    /** Newest first. */
    readonly list: (
      scope: AccountScope,
      page: PageRequest
    ) => Effect.Effect<Page<Account>, InvalidParameter | Unavailable>
    /**
     * Fails without changes: `Conflict` if an organization would have no owner, `NotFound` if the account does not
     * exist or has another `epoch`.
     */
    readonly change: (
      id: string,
      change: AccountChange
    ) => Effect.Effect<Credentials, Conflict | NotFound | Unavailable>
    /**
     * Removes an account with its sessions and invitations. Fails with `Conflict`, without changes, if an organization
     * would have no owner or the instance no operator.
     */
    readonly remove: (id: string) => Effect.Effect<void, Conflict | NotFound | Unavailable>
  }
>()("@postcode/gateway/Accounts") {}
