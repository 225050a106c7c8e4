/**
 * Port: accounts of people, their memberships of organizations, and the invitations by which they come. The store holds
 * the hash of an invitation's token, and of a password what `Passwords` makes of it; never the token or the password.
 *
 * Also with concurrent calls: an invitation gives one membership, a claim makes the first operator, and neither an
 * organization that has owners nor an instance that has operators loses the last of them. An invitation counts until it
 * expires, is accepted or withdrawn, and a claim only as long as there is no operator.
 */
import { Context, type Effect } from "effect"
import type { Conflict, InvalidParameter, InvalidToken, NotFound, Unavailable } from "../Errors.ts"
import type { MemberRole } from "../ManagementAccess.ts"
import type { Page, PageRequest } from "../Page.ts"
import type { Account, Invitation, Maker, Member, Membership } from "./Account.ts"

/** An organization, or the instance. */
export interface AccountScope {
  readonly organization_id: string | undefined
}

/** A new account, without its memberships. */
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
  /** In the canonical form of `parseEmail`. */
  readonly email?: string
  readonly password?: string
  /** Optimistic lock: the change fails if the account's `epoch` differs, see `Credentials`. */
  readonly epoch?: number
  /** Whether the change ends all sessions of the account. */
  readonly ends_sessions: boolean
}

/** The result of removing a membership. */
export interface Departure {
  readonly member: Member
  /** Whether the account was removed, too, because it belonged to nothing else. */
  readonly was_removed: boolean
}

export class Accounts extends Context.Service<
  Accounts,
  {
    /**
     * Stores an invitation under its token's hash. Fails with `NotFound` if its organization does not exist, and with
     * `invalidConsoleSession` if `maker` no longer has its role, so that revoking an account's invitations cannot miss
     * one. Fails with `tooManyInvitations` if the organization has `maxOpenInvitations` that
     * are valid when this one is created, also with concurrent requests.
     */
    readonly invite: (
      invitation: Invitation,
      hash: string,
      maker?: Maker
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
    /**
     * Gives an account the role of an invitation and uses the invitation up. Fails with `NotFound` if the token has no
     * valid invitation at `now`, or the account does not exist. Fails with `Conflict`, leaving the invitation valid: `otherAccount` if
     * it is for another address, `alreadyMember`, and `tooManyMemberships`.
     */
    readonly join: (
      hash: string,
      account_id: string,
      now: string
    ) => Effect.Effect<Account, Conflict | NotFound | Unavailable>
    /**
     * Makes an account a member of an organization. Fails with `NotFound` if the account does not exist, and with
     * `Conflict`: `alreadyMember` and `tooManyMemberships`.
     */
    readonly addMember: (
      account_id: string,
      membership: Membership
    ) => Effect.Effect<Account, Conflict | NotFound | Unavailable>
    /** Creates the account of a sign-up with its first membership. Fails with `Conflict` if the email has an account. */
    readonly open: (account: NewAccount, membership: Membership) => Effect.Effect<Credentials, Conflict | Unavailable>
    readonly hasOperator: () => Effect.Effect<boolean, Unavailable>
    readonly find: (id: string) => Effect.Effect<Credentials, NotFound | Unavailable>
    readonly findByEmail: (email: string) => Effect.Effect<Credentials | undefined, Unavailable>
    /** The id of the account with an email. Takes as long if there is none, so that the time does not show which addresses have one. */
    readonly idOfEmail: (email: string) => Effect.Effect<string | undefined, Unavailable>
    /** The members of an organization, or the operators; newest first. */
    readonly list: (
      scope: AccountScope,
      page: PageRequest
    ) => Effect.Effect<Page<Member>, InvalidParameter | Unavailable>
    /**
     * Fails without changes: `NotFound` if the account does not exist or has another `epoch`, and `Conflict` if another
     * account has the email.
     */
    readonly change: (
      id: string,
      change: AccountChange
    ) => Effect.Effect<Credentials, Conflict | NotFound | Unavailable>
    /**
     * Changes a member's role and withdraws its invitations to the organization. Fails without changes: `Conflict` if the
     * organization would have no owner, `NotFound` if the account is no member.
     */
    readonly changeRole: (
      id: string,
      organization_id: string,
      role: MemberRole
    ) => Effect.Effect<Member, Conflict | NotFound | Unavailable>
    /**
     * Ends a membership and withdraws the member's invitations to the organization. An account that then belongs to no
     * organization and does not run the instance is removed. Fails as `changeRole` does.
     */
    readonly leave: (id: string, organization_id: string) => Effect.Effect<Departure, Conflict | NotFound | Unavailable>
    /**
     * Removes an account with its memberships, sessions and invitations. Fails with `Conflict`, without changes, if an
     * organization would have no owner or the instance no operator.
     */
    readonly remove: (id: string) => Effect.Effect<void, Conflict | NotFound | Unavailable>
  }
>()("@postcode/gateway/Accounts") {}
