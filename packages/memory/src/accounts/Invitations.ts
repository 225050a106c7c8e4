/** Invitations in memory: the part of the port `Accounts` for invitations. */

import {
  hasRoleOf,
  type Invitation,
  invalidConsoleSession,
  maxOpenInvitations,
  tooManyInvitations
} from "@postcode/gateway/accounts/Account"
import type { Accounts } from "@postcode/gateway/accounts/Accounts"
import { notFound } from "@postcode/gateway/Errors"
import type { PageRequest } from "@postcode/gateway/Page"
import { Effect } from "effect"
import type { MemoryState } from "../MemoryState.ts"
import { newestFirst } from "../retention/NewestFirst.ts"
import { NewestKept } from "../retention/NewestKept.ts"

type Service = Accounts["Service"]
type State = Pick<MemoryState["Service"], "accounts" | "organizations">

/** Invitations by the hashes of their tokens. */
export class Invitations {
  private readonly byHash = new Map<string, Invitation>()
  /** In order of creation, which is also the order of expiry; removed ones leave a gap. */
  private readonly inOrder = new NewestKept<string>()

  /** The methods of the port for invitations. */
  readonly methods: Pick<Service, "invitation" | "invitationOf" | "invitations" | "invite" | "withdraw">

  private readonly accounts: State["accounts"]

  constructor({ accounts, organizations }: State) {
    this.accounts = accounts
    const invite: Service["invite"] = (invitation, hash, maker) => {
      const { organization_id } = invitation
      if (organization_id !== undefined && !organizations.has(organization_id))
        return Effect.fail(notFound("organization"))
      const account = maker && accounts.get(maker.id)?.account
      if (maker !== undefined && !(account && hasRoleOf(account, maker))) return Effect.fail(invalidConsoleSession)
      if (organization_id !== undefined && this.openOf(organization_id, invitation.created_at) >= maxOpenInvitations)
        return Effect.fail(tooManyInvitations)
      this.byHash.set(hash, invitation)
      this.inOrder.push(hash)
      this.forgetEnded(invitation.created_at)
      return Effect.void
    }
    this.methods = {
      invite: (invitation, hash, maker) => Effect.suspend(() => invite(invitation, hash, maker)),
      invitations: ({ organization_id }, now, page) => Effect.suspend(() => this.page(organization_id, now, page)),
      invitation: (id) => Effect.suspend(() => this.get(id)),
      invitationOf: (hash, now) => Effect.sync(() => this.of(hash, now)),
      withdraw: (id) =>
        Effect.suspend(() => (this.removeIf((it) => it.id === id) ? Effect.void : Effect.fail(notFound("invitation"))))
    }
  }

  /** The invitation with a token's hash, if it is valid at `now`. */
  of(hash: string, now: string): Invitation | undefined {
    const invitation = this.byHash.get(hash)
    if (invitation === undefined || invitation.expires_at <= now) return undefined
    return invitation.is_claim && hasOperator(this.accounts) ? undefined : invitation
  }

  /** The number of an organization's invitations that are valid at `now`. */
  private openOf(organization_id: string, now: string): number {
    const own = [...this.byHash.values()].filter((invitation) => invitation.organization_id === organization_id)
    return own.filter(({ expires_at }) => expires_at > now).length
  }

  private get(id: string) {
    const found = [...this.byHash.values()].find((invitation) => invitation.id === id)
    return found === undefined ? Effect.fail(notFound("invitation")) : Effect.succeed(found)
  }

  private forgetEnded(now: string): void {
    for (;;) {
      const hash = this.inOrder.at(this.inOrder.first)
      const oldest = hash === undefined ? undefined : this.byHash.get(hash)
      if (hash === undefined || (oldest !== undefined && now < oldest.expires_at)) return
      this.inOrder.evictOldest()
      this.byHash.delete(hash)
    }
  }

  private page(organization_id: string | undefined, now: string, page: PageRequest) {
    const itemAt = (index: number): Invitation | undefined => {
      const invitation = this.of(this.inOrder.at(index) as string, now)
      return invitation?.organization_id === organization_id ? invitation : undefined
    }
    return newestFirst(this.inOrder.length, itemAt, page, this.inOrder.first)
  }

  /** Removes matching invitations; returns whether there were any. */
  removeIf(matches: (invitation: Invitation) => boolean): boolean {
    const found = [...this.byHash].filter(([, invitation]) => matches(invitation))
    for (const [hash] of found) this.byHash.delete(hash)
    return found.length > 0
  }
}

export const hasOperator = (accounts: State["accounts"]): boolean =>
  [...accounts.values()].some(({ account }) => account.is_operator)
