/** Keeps the index of changed addresses up to date, see `ChangedAddresses` of core. */
import type { ChangedAddresses } from "@postcode/core/LiveDirectory"
import { Effect } from "effect"

/** Refreshes the index. Returns whether there was something new; a failure is logged, and can be retried. */
export const refreshed = (addresses: ChangedAddresses): Effect.Effect<boolean> =>
  Effect.catchCause(
    Effect.tryPromise(() => addresses.refresh()),
    (cause) => Effect.as(Effect.logWarning("the addresses of changed units could not be indexed yet", cause), true)
  )

/** Between two indexes. */
const pause_ms = 30_000

/** Refreshes whenever there are new addresses. */
export const keepRefreshed = (current: () => ChangedAddresses): Effect.Effect<never> =>
  Effect.promise(() => current().awaitNew).pipe(
    Effect.andThen(Effect.suspend(() => refreshed(current()))),
    Effect.andThen(Effect.sleep(pause_ms)),
    Effect.forever
  )
