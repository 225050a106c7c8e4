/** How much of the management lane one account, and the members of one organization together, may hold at a time. */
import { Unavailable } from "@postcode/core/Errors"
import type { Manager } from "@postcode/core/ManagementAccess"
import { Effect } from "effect"

/** Of the 16 places in the management lane. More than the 6 connections that a browser opens. */
const accountShare = 10
/** Accounts in an organization are made by its owner, so they have a share together. */
const organizationShare = 12

/**
 * Counts what is under way for each account and organization, and refuses more than their shares with `Unavailable`, so
 * that slow calls of one account leave places to others. The operator token is no account, and has no share: with it the
 * instance is run.
 */
export class ManagementShares {
  private readonly held = new Map<string, number>()

  run<A, E>(manager: Manager, work: Effect.Effect<A, E>): Effect.Effect<A, E | Unavailable> {
    if (manager.kind === "token") return work
    const shares = sharesOf(manager)
    return Effect.acquireUseRelease(
      Effect.suspend(() => {
        if (shares.some(([name, share]) => this.count(name) >= share)) return overShare
        return Effect.sync(() => this.add(shares, 1))
      }),
      () => work,
      () => Effect.sync(() => this.add(shares, -1))
    )
  }

  private count(name: string): number {
    return this.held.get(name) ?? 0
  }

  private add(shares: Shares, change: 1 | -1): void {
    for (const [name] of shares) {
      const count = this.count(name) + change
      if (count === 0) this.held.delete(name)
      else this.held.set(name, count)
    }
  }
}

type Shares = ReadonlyArray<readonly [name: string, share: number]>

const sharesOf = ({ actor, organization_id }: Manager): Shares =>
  organization_id === undefined
    ? [[actor, accountShare]]
    : [
        [actor, accountShare],
        [organization_id, organizationShare]
      ]

const overShare = Effect.fail(new Unavailable({ retry_after_s: 1 }))
