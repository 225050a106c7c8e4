/** Shows a key and its recent use, for a user who considers revoking it. */
import { Clock, Effect } from "effect"
import type { InsufficientScope, NotFound, Unavailable } from "../Errors.ts"
import type { ApiKeyRecord } from "../keys/ApiKey.ts"
import { ApiKeys } from "../keys/ApiKeys.ts"
import { type ManagementCall, type Manager, permitFound } from "../ManagementAccess.ts"
import { slotOf } from "./UsageCounts.ts"
import { type Traffic, trafficSlot_ms, trafficSlots, UsageLog } from "./UsageLog.ts"

/** Requests with a key in the last 60 to 65 minutes. */
export interface KeyTraffic extends Traffic {
  /** The exact start, ISO 8601, UTC. */
  readonly since: string
}

type Refused = InsufficientScope | NotFound | Unavailable

/** For managers that may revoke the key. For a member, keys of other organizations fail with `NotFound`. */
export interface InspectKey {
  readonly show: (id: string, manager: Manager) => Effect.Effect<ApiKeyRecord, Refused>
  readonly traffic: (id: string, manager: Manager) => Effect.Effect<KeyTraffic, Refused>
}

/** Neither call counts as use of the key, and the key may be inactive. */
export const inspectKey: Effect.Effect<InspectKey, never, ApiKeys | UsageLog> = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const log = yield* UsageLog

  const find = (id: string, manager: Manager, call: ManagementCall) => permitFound(manager, call, keys.get(id), "key")

  return {
    show: (id, manager) => find(id, manager, "getKey"),

    traffic: Effect.fnUntraced(function* (id, manager) {
      const { organization_id } = yield* find(id, manager, "keyTraffic")
      const slot = slotOf(yield* Clock.currentTimeMillis)
      const since_ms = (slot - trafficSlots + 1) * trafficSlot_ms
      const traffic = yield* log.traffic({ organization_id, key_id: id }, since_ms)
      return { since: new Date(since_ms).toISOString(), ...traffic }
    })
  }
})
