/** Limits the management requests in flight of each account, and of all accounts of an organization. */

import { Unavailable } from "@postcode/gateway/Errors"
import type { Manager } from "@postcode/gateway/ManagementAccess"
import { Effect, Option, Semaphore } from "effect"
import { LRUCache } from "lru-cache"
import type { Outside } from "./RequestQueue.ts"

/** Of the 16 management requests in flight. More than the 6 connections that a browser opens. */
const accountLimit = 10
/** The owner of an organization can invite any number of accounts, so they share a limit. */
const organizationLimit = 12

/**
 * Slow requests of one account leave capacity for other accounts: requests above a limit wait outside the concurrency
 * limit of the management queue. The operator token has no limit, because operators run the instance with it.
 */
export class AccountLimits {
  private readonly timeout_ms: number
  /** By account or organization. The maximum is above the number that is active at a time. */
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
