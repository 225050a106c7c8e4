/** Invitations in memory: the part of the port `Accounts` that is about them alone. */
import type { Invitation } from "@postcode/core/Account"
import { notFound } from "@postcode/core/ManagementAccess"
import type { PageRequest } from "@postcode/core/Page"
import type { Accounts } from "@postcode/core/ports/Accounts"
import { Effect } from "effect"
import { noSuchOrganization } from "./MemoryState.ts"
import { newestFirst } from "./NewestFirst.ts"

type Service = Accounts["Service"]

/** Invitations by the hashes of their tokens. */
export class Invitations {
  private readonly byHash = new Map<string, Invitation>()
  /** In the order in which they were made; those that are gone leave a gap. */
  private readonly inOrder: Array<string> = []

  /** The part of the port that is about them alone. */
  readonly methods: Pick<Service, "invitation" | "invitationOf" | "invitations" | "invite" | "withdraw">

  constructor(organizations: ReadonlyMap<string, unknown>) {
    this.methods = {
      invite: (invitation, hash) =>
        Effect.suspend(() => {
          const { organization_id } = invitation
          if (organization_id !== undefined && !organizations.has(organization_id))
            return Effect.fail(noSuchOrganization)
          this.byHash.set(hash, invitation)
          this.inOrder.push(hash)
          return Effect.void
        }),
      invitations: ({ organization_id }, now, page) => Effect.suspend(() => this.page(organization_id, now, page)),
      invitation: (id) => Effect.suspend(() => this.get(id)),
      invitationOf: (hash, now) => Effect.sync(() => this.of(hash, now)),
      withdraw: (id) =>
        Effect.suspend(() => (this.removeIf((it) => it.id === id) ? Effect.void : Effect.fail(notFound("invitation"))))
    }
  }

  of(hash: string, now: string): Invitation | undefined {
    const invitation = this.byHash.get(hash)
    return invitation !== undefined && now < invitation.expires_at ? invitation : undefined
  }

  private get(id: string) {
    const found = [...this.byHash.values()].find((invitation) => invitation.id === id)
    return found === undefined ? Effect.fail(notFound("invitation")) : Effect.succeed(found)
  }

  private page(organization_id: string | undefined, now: string, page: PageRequest) {
    const itemAt = (index: number): Invitation | undefined => {
      const invitation = this.of(this.inOrder[index] as string, now)
      return invitation?.organization_id === organization_id ? invitation : undefined
    }
    return newestFirst(this.inOrder.length, itemAt, page)
  }

  /** Whether there was one. */
  removeIf(isIt: (invitation: Invitation) => boolean): boolean {
    const found = [...this.byHash].filter(([, invitation]) => isIt(invitation))
    for (const [hash] of found) this.byHash.delete(hash)
    return found.length > 0
  }
}
