/**
 * Port: accounts of people, and the invitations by which they come. The store holds the hash of an invitation's token, and
 * of a password what `Passwords` makes of it; never the token or the password.
 *
 * Whatever happens at the same time: an invitation makes one account, a claim makes the first operator, and neither an
 * organization that has owners nor an instance that has operators loses the last of them. An invitation counts until it
 * expires, is accepted or withdrawn, and a claim only as long as there is no operator.
 */
import { Context, type Effect } from "effect"
import type { Conflict, InvalidParameter, InvalidToken, NotFound, Unavailable } from "../Errors.ts"
import type { Page, PageRequest } from "../Page.ts"
import type { Account, Invitation } from "./Account.ts"
import type { MemberRole } from "./ManagementAccess.ts"

/** Whose accounts or invitations: an organization's, or the instance's. */
export interface AccountScope {
  readonly organization_id: string | undefined
}

/** An account that is about to be made; its invitation has the role. */
export type NewAccount = Pick<Account, "created_at" | "email" | "id" | "name"> & { readonly password: string }

/** An account with what only signing in needs to know of it. */
export interface Credentials {
  readonly account: Account
  /** As `Passwords.hash` gave it. */
  readonly password: string
  /** Sessions count that were started under this number; it rises whenever all of them end. */
  readonly epoch: number
}

/** What becomes of an account in one step; an absent field stays as it is. */
export interface AccountChange {
  readonly name?: string
  /** Of a member: an operator has no other role to take. */
  readonly role?: MemberRole
  readonly password?: string
  /** The number that sessions must still have, as in `Credentials`: of two changes that start from the same one is made. */
  readonly epoch?: number
  /** Whether all sessions of the account end with this. */
  readonly ends_sessions: boolean
  /** Whether the invitations that it made and nobody accepted are withdrawn. */
  readonly withdraws_invitations: boolean
}

export class Accounts extends Context.Service<
  Accounts,
  {
    /**
     * Stores an invitation under its token's hash. Fails with `NotFound` if its organization does not exist, and with
     * `consoleSessionNotInForce` if `maker` is no account in that role any more: what withdraws someone's invitations
     * leaves none behind that was just being made.
     */
    readonly invite: (
      invitation: Invitation,
      hash: string,
      maker?: Pick<Account, "id" | "role">
    ) => Effect.Effect<void, InvalidToken | NotFound | Unavailable>
    /** Those that count at `now`, newest first. */
    readonly invitations: (
      scope: AccountScope,
      now: string,
      page: PageRequest
    ) => Effect.Effect<Page<Invitation>, InvalidParameter | Unavailable>
    readonly invitation: (id: string) => Effect.Effect<Invitation, NotFound | Unavailable>
    /** The one of a token that counts at `now`; undefined if there is none. */
    readonly invitationOf: (hash: string, now: string) => Effect.Effect<Invitation | undefined, Unavailable>
    readonly withdraw: (id: string) => Effect.Effect<void, NotFound | Unavailable>
    /**
     * Makes the account that an invitation is for, and with that uses the invitation up. Fails with `NotFound` if the token
     * has no invitation that counts at `now`, and with `Conflict` if the email has an account already: then the invitation
     * still counts. The work is about the same either way.
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
     * `Conflict` if an organization would be left without an owner, `NotFound` if there is no such account, or none with
     * that `epoch`; then nothing changes.
     */
    readonly change: (
      id: string,
      change: AccountChange
    ) => Effect.Effect<Credentials, Conflict | NotFound | Unavailable>
    /**
     * Removes an account with its sessions, and the invitations that it made. `Conflict` if an organization would be left
     * without an owner or the instance without an operator; then nothing changes.
     */
    readonly remove: (id: string) => Effect.Effect<void, Conflict | NotFound | Unavailable>
  }
>()("@postcode/core/Accounts") {}
