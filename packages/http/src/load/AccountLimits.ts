/** How many management requests one account, and the accounts of one organization together, may have in flight. */
import { Unavailable } from "@postcode/core/Errors"
import type { Manager } from "@postcode/core/ManagementAccess"
import { Effect, Option, Semaphore } from "effect"
import { LRUCache } from "lru-cache"
import type { Outside } from "./RequestQueue.ts"

/** Of the 16 management requests in flight. More than the 6 connections that a browser opens. */
const accountLimit = 10
/** The owner of an organization can invite any number of accounts, so they share a limit. */
const organizationLimit = 12

/**
 * Slow requests of one account leave capacity to others: what is above a limit waits outside the concurrency limit of the
 * management queue. The operator token is no account and has no limit, because the instance is run with it.
 */
export class AccountLimits {
  private readonly timeout_ms: number
  /** By account or organization; more than were ever active at a time. */
  private readonly semaphores = new LRUCache<string, Semaphore.Semaphore>({ max: 10_000 })

  /** @param timeout_ms how long a request may wait */
  constructor(timeout_ms: number) {
    this.timeout_ms = timeout_ms
  }

  run<A, E>(manager: Manager, work: Effect.Effect<A, E>, outside: Outside): Effect.Effect<A, E | Unavailable> {
    if (manager.kind === "token") return work
    const { actor, organization_id } = manager
    const shared = organization_id === undefined ? work : this.within(organization_id, organizationLimit, work, outside)
    return this.within(actor, accountLimit, shared, outside)
  }

  private within<A, E>(
    name: string,
    limit: number,
    work: Effect.Effect<A, E>,
    outside: Outside
  ): Effect.Effect<A, E | Unavailable> {
    const semaphore = this.semaphores.get(name) ?? Semaphore.makeUnsafe(limit)
    this.semaphores.set(name, semaphore)
    const acquire = Effect.timeoutOrElse(semaphore.takeScoped(1), {
      duration: this.timeout_ms,
      orElse: () => Effect.fail(new Unavailable({ retry_after_s: 1 }))
    })
    return Effect.flatMap(semaphore.withPermitsIfAvailable(1)(work), (done) =>
      Option.isSome(done) ? Effect.succeed(done.value) : Effect.scoped(Effect.andThen(outside(acquire), work))
    )
  }
}
