/** Sends an event before a key expires. */
import { Cause, Effect, type Scope } from "effect"
import { timestamp } from "../audit/audit.ts"
import type { Transactions } from "../store/Transactions.ts"
import { announced } from "../webhooks/announced.ts"
import type { EventContent } from "../webhooks/Webhook.ts"
import type { Webhooks } from "../webhooks/Webhooks.ts"
import { type ApiKeyRecord, expiryNotice_ms } from "./ApiKey.ts"
import { ApiKeys, maxTakenKeys } from "./ApiKeys.ts"

/**
 * Sends `key.expiring` once for each key, `expiryNotice_ms` before it expires, while the scope is open. It looks every
 * ten minutes. Any number of processes may do so.
 */
export const announceExpiringKeys: Effect.Effect<void, never, ApiKeys | Scope.Scope | Transactions | Webhooks> =
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const withEvents = yield* announced

    const takeSome = Effect.flatMap(timestamp, (now) =>
      withEvents(keys.takeExpiring(now, expiryNotice_ms), (taken) => taken.map(expiringEvent))
    )
    const takeAll = Effect.repeat(takeSome, { while: ({ length }) => length === maxTakenKeys })
    // An unavailable store is reported elsewhere. A defect must not stop the loop.
    const resilient = Effect.catchCause(takeAll, (cause) =>
      Cause.hasDies(cause) ? Effect.logError("keys that are about to expire could not be loaded", cause) : Effect.void
    )
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(resilient, Effect.sleep(pause_ms))))
  })

const pause_ms = 600_000

/** A key that is taken has an expiry. */
const expiringEvent = ({ environment, expires_at = "", id, organization_id }: ApiKeyRecord): EventContent => ({
  type: "key.expiring",
  data: { organization_id, environment, key_id: id, expires_at }
})
