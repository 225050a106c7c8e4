/** The accounts of the port `Accounts` in memory. */
import {
  type Account,
  alreadyMember,
  emailTaken,
  type Invitation,
  lastInRole,
  type Member,
  type Membership,
  maxMemberships,
  memberOf,
  membershipIn,
  otherAccount,
  tooManyMemberships
} from "@postcode/gateway/accounts/Account"
import type { Accounts, Credentials } from "@postcode/gateway/accounts/Accounts"
import { type Conflict, notFound } from "@postcode/gateway/Errors"
import type { MemberRole } from "@postcode/gateway/ManagementAccess"
import type { PageRequest } from "@postcode/gateway/Page"
import { Effect, Result } from "effect"
import { newestFirst } from "../retention/NewestFirst.ts"
import type { Invitations } from "./Invitations.ts"

type Service = Accounts["Service"]

/** Each method takes effect when it is called. */
export class StoredAccounts {
  private readonly byId: Map<string, Credentials>
  private readonly invitations: Invitations
  private readonly idOfEmail = new Map<string, string>()
  /** Memberships and operators in order of joining; ended ones leave a gap. */
  private readonly inOrder: Array<{ readonly id: string; readonly organization_id: string | undefined }> = []

  constructor(byId: Map<string, Credentials>, invitations: Invitations) {
    this.byId = byId
    this.invitations = invitations
  }

  accept(
    ...[hash, { created_at, email, id, name, password }, now]: Parameters<Service["accept"]>
  ): ReturnType<Service["accept"]> {
    const invitation = this.invitations.of(hash, now)
    if (invitation === undefined) return Effect.fail(notFound("invitation"))
    if (this.idOfEmail.has(email)) return Effect.fail(emailTaken)
    const empty: Account = { id, email, name, is_operator: false, memberships: [], created_at }
    const account = granted(empty, invitation, now)
    if (Result.isFailure(account)) return Effect.fail(account.failure)
    this.idOfEmail.set(email, id)
    this.useUp(invitation, id)
    return Effect.succeed(this.put({ account: account.success, password, epoch: 1 }))
  }

  join(...[hash, account_id, now]: Parameters<Service["join"]>): ReturnType<Service["join"]> {
    const invitation = this.invitations.of(hash, now)
    if (invitation === undefined) return Effect.fail(notFound("invitation"))
    const stored = this.byId.get(account_id)
    if (stored === undefined) return Effect.fail(notFound("account"))
    if (invitation.email !== undefined && invitation.email !== stored.account.email) return Effect.fail(otherAccount)
    const account = granted(stored.account, invitation, now)
    if (Result.isFailure(account)) return Effect.fail(account.failure)
    this.useUp(invitation, account_id)
    return Effect.succeed(this.put({ ...stored, account: account.success }).account)
  }

  addMember(...[account_id, membership]: Parameters<Service["addMember"]>): ReturnType<Service["addMember"]> {
    const stored = this.byId.get(account_id)
    if (stored === undefined) return Effect.fail(notFound("account"))
    const account = withMembership(stored.account, membership)
    if (Result.isFailure(account)) return Effect.fail(account.failure)
    this.inOrder.push({ id: account_id, organization_id: membership.organization_id })
    return Effect.succeed(this.put({ ...stored, account: account.success }).account)
  }

  open(
    ...[{ created_at, email, id, name, password }, membership]: Parameters<Service["open"]>
  ): ReturnType<Service["open"]> {
    if (this.idOfEmail.has(email)) return Effect.fail(emailTaken)
    this.idOfEmail.set(email, id)
    this.inOrder.push({ id, organization_id: membership.organization_id })
    const account: Account = { id, email, name, is_operator: false, memberships: [membership], created_at }
    return Effect.succeed(this.put({ account, password, epoch: 1 }))
  }

  find(id: string): ReturnType<Service["find"]> {
    const stored = this.byId.get(id)
    return stored === undefined ? Effect.fail(notFound("account")) : Effect.succeed(stored)
  }

  findByEmail(email: string): Credentials | undefined {
    return this.byId.get(this.idOfEmail.get(email) ?? "")
  }

  list(organization_id: string | undefined, page: PageRequest): ReturnType<Service["list"]> {
    return newestFirst(this.inOrder.length, (index) => this.memberAt(index, organization_id), page)
  }

  change(...[id, change]: Parameters<Service["change"]>): ReturnType<Service["change"]> {
    const before = this.byId.get(id)
    if (before === undefined || before.epoch !== (change.epoch ?? before.epoch)) return Effect.fail(notFound("account"))
    const { account, epoch } = before
    const { email = account.email, ends_sessions, name = account.name, password = before.password } = change
    if ((this.idOfEmail.get(email) ?? id) !== id) return Effect.fail(emailTaken)
    this.idOfEmail.delete(account.email)
    this.idOfEmail.set(email, id)
    const after: Credentials = {
      account: { ...account, email, name },
      password,
      epoch: ends_sessions ? epoch + 1 : epoch
    }
    return Effect.succeed(this.put(after))
  }

  changeRole(...[id, organization_id, role]: Parameters<Service["changeRole"]>): ReturnType<Service["changeRole"]> {
    const held = this.membership(id, organization_id)
    if (held === undefined) return Effect.fail(notFound("account"))
    const { membership, stored } = held
    const conflict = role === membership.role ? undefined : this.lastOf(membership)
    if (conflict !== undefined) return Effect.fail(conflict)
    const changed = { ...membership, role }
    const memberships = stored.account.memberships.map((other) => (other === membership ? changed : other))
    const { account } = this.put({ ...stored, account: { ...stored.account, memberships } })
    this.withdrawBy(id, organization_id)
    return Effect.succeed(memberOf(account, changed))
  }

  leave(...[id, organization_id]: Parameters<Service["leave"]>): ReturnType<Service["leave"]> {
    const held = this.membership(id, organization_id)
    if (held === undefined) return Effect.fail(notFound("account"))
    const { membership, stored } = held
    const conflict = this.lastOf(membership)
    if (conflict !== undefined) return Effect.fail(conflict)
    const { account } = stored
    const memberships = account.memberships.filter((other) => other !== membership)
    const was_removed = memberships.length === 0 && !account.is_operator
    if (was_removed) this.forget(account)
    else {
      this.put({ ...stored, account: { ...account, memberships } })
      const at = this.inOrder.findIndex((it) => it.id === id && it.organization_id === organization_id)
      this.inOrder[at] = gap
      this.withdrawBy(id, organization_id)
    }
    return Effect.succeed({ member: memberOf(account, membership), was_removed })
  }

  remove(id: string): ReturnType<Service["remove"]> {
    const stored = this.byId.get(id)
    if (stored === undefined) return Effect.fail(notFound("account"))
    const { is_operator, memberships } = stored.account
    if (is_operator && this.isLastOperator()) return Effect.fail(lastInRole("operator"))
    const conflict = memberships.map((membership) => this.lastOf(membership)).find((it) => it !== undefined)
    if (conflict !== undefined) return Effect.fail(conflict)
    this.forget(stored.account)
    return Effect.void
  }

  private put(stored: Credentials): Credentials {
    this.byId.set(stored.account.id, stored)
    return stored
  }

  private useUp({ id, organization_id }: Invitation, account_id: string): void {
    this.inOrder.push({ id: account_id, organization_id })
    this.invitations.removeIf((invitation) => invitation.id === id)
  }

  private withdrawBy(id: string, organization_id: string): void {
    this.invitations.removeIf((it) => it.created_by === id && it.organization_id === organization_id)
  }

  private forget({ email, id }: Account): void {
    this.byId.delete(id)
    this.idOfEmail.delete(email)
    this.invitations.removeIf(({ created_by }) => created_by === id)
  }

  private membership(id: string, organization_id: string) {
    const stored = this.byId.get(id)
    const membership = stored && membershipIn(stored.account, organization_id)
    return stored === undefined || membership === undefined ? undefined : { stored, membership }
  }

  /** The conflict if a membership that ends, or gets another role, is of the last owner; else undefined. */
  private lastOf({ organization_id, role }: Membership): Conflict | undefined {
    if (role !== "owner") return undefined
    const owners = [...this.byId.values()].filter(
      ({ account }) => membershipIn(account, organization_id)?.role === "owner"
    )
    return owners.length === 1 ? lastInRole("owner") : undefined
  }

  private isLastOperator(): boolean {
    return [...this.byId.values()].filter(({ account }) => account.is_operator).length === 1
  }

  private memberAt(index: number, organization_id: string | undefined): Member | undefined {
    const entry = this.inOrder[index]
    const account = this.byId.get(entry?.id ?? "")?.account
    if (account === undefined || entry?.organization_id !== organization_id) return undefined
    return memberOf(account, membershipIn(account, organization_id))
  }
}

/** The place of an ended membership. */
const gap = { id: "", organization_id: undefined }

/** The account with what an invitation gives it. */
const granted = (
  account: Account,
  { organization_id, role }: Invitation,
  now: string
): Result.Result<Account, Conflict> => {
  if (organization_id !== undefined) {
    return withMembership(account, { organization_id, role: role as MemberRole, joined_at: now })
  }
  return account.is_operator ? Result.fail(alreadyMember) : Result.succeed({ ...account, is_operator: true })
}

const withMembership = (account: Account, membership: Membership): Result.Result<Account, Conflict> => {
  if (membershipIn(account, membership.organization_id) !== undefined) return Result.fail(alreadyMember)
  if (account.memberships.length >= maxMemberships) return Result.fail(tooManyMemberships)
  return Result.succeed({ ...account, memberships: [...account.memberships, membership] })
}
