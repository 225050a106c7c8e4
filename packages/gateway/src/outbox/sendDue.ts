/** Sends what is due in an outbox while the scope is open: deliveries to webhooks, and mail. */
import { Cause, Deferred, Effect, Fiber, type Scope } from "effect"
import type { Unavailable } from "../Errors.ts"

/** Items that wait to be sent. Any number of processes share one outbox, see `lease`. */
export interface Outbox<Leased, Settlement> {
  /** What the items are called in logs, such as `webhooks`. */
  readonly name: string
  /** Maximum number of concurrent attempts. */
  readonly concurrency: number
  /** Whether there may be a due item, as far as this process knows. */
  readonly hasWork: () => boolean
  /**
   * Leases at most `limit` due items. If a process crashes, its leases expire, and another process sends the items
   * again: at least once.
   */
  readonly lease: (limit: number, duration_ms: number) => Effect.Effect<ReadonlyArray<Leased>, Unavailable>
  /** Sends an item once. */
  readonly attempt: (leased: Leased) => Effect.Effect<Settlement>
  /** Ends a lease. Does nothing if it has expired and was replaced. */
  readonly settle: (leased: Leased, settlement: Settlement) => Effect.Effect<void, Unavailable>
}

/**
 * Polls every second. When the scope closes, nothing more is started, and active items have `shutdownTimeout_ms` to
 * finish; unfinished ones are sent again by another process or after a restart.
 */
export const sendDue = <Leased, Settlement>({
  attempt,
  concurrency,
  hasWork,
  lease,
  name,
  settle
}: Outbox<Leased, Settlement>): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const active = new Set<Fiber.Fiber<void>>()
    let ended = Deferred.makeUnsafe<void>()

    const send = (leased: Leased): Effect.Effect<void> =>
      Effect.flatMap(attempt(leased), (settlement) => settle(leased, settlement)).pipe(
        Effect.catchCause((cause) => Effect.logWarning(`a result could not be stored: ${name}`, cause))
      )

    const begin = Effect.fnUntraced(function* (leased: Leased) {
      const fiber = yield* Effect.forkDetach(send(leased))
      active.add(fiber)
      fiber.addObserver(() => {
        active.delete(fiber)
        Deferred.doneUnsafe(ended, Effect.void)
      })
    })

    const batch = Effect.gen(function* () {
      ended = Deferred.makeUnsafe<void>()
      const free = concurrency - active.size
      const leased = free === 0 || !hasWork() ? [] : yield* lease(free, lease_ms)
      yield* Effect.uninterruptible(Effect.forEach(leased, begin, { discard: true }))
      yield* Effect.raceFirst(Effect.sleep(pause_ms), Deferred.await(ended))
    })
    // An unavailable store is reported elsewhere. A defect must not stop the loop.
    const resilient = Effect.catchCause(batch, (cause) =>
      Effect.andThen(
        Cause.hasDies(cause) ? Effect.logError(`due ${name} could not be loaded`, cause) : Effect.void,
        Effect.sleep(pause_ms)
      )
    )

    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => {
        const rest = [...active]
        return Effect.andThen(Effect.timeoutOption(Fiber.awaitAll(rest), shutdownTimeout_ms), Fiber.interruptAll(rest))
      })
    )
    yield* Effect.forkScoped(Effect.forever(resilient))
  })

/** Upper bound for an attempt, so that it cannot occupy its place forever. The transports have shorter timeouts. */
export const attempt_ms = 30_000

const pause_ms = 1_000
/** Longer than an attempt and its settlement, also with a slow database. */
const lease_ms = 60_000
const shutdownTimeout_ms = 5_000
