import { type ApiKeyRecord, keyStatus } from "@postcode/core/ApiKey"
import { inspectKey } from "@postcode/core/keys/inspectKey"
import type { Manager } from "@postcode/core/ManagementAccess"
import { reportUsage } from "@postcode/core/usage/reportUsage"
import { Clock, Effect } from "effect"
import type { GroupHandlers } from "../Handler.ts"
import { asData } from "./asData.ts"

type UsageHandlers = Pick<GroupHandlers<"management">, "getKey" | "keyTraffic" | "usage">

export const usageHandlers = Effect.gen(function* () {
  const report = yield* reportUsage
  const inspect = yield* inspectKey
  const withStatus = yield* statusNow

  const handlers: UsageHandlers = {
    usage: ({ manager, params, query: { by, environment, from, key_id, to } }) =>
      Effect.map(
        report({ organization_id: params.id, environment, from, to, by, key_id }, manager as Manager),
        (usage) => ({ data: { usage } })
      ),
    getKey: ({ manager, params }) =>
      Effect.map(inspect.show(params.id, manager as Manager), (record) => ({ data: withStatus(record) })),
    keyTraffic: ({ manager, params }) => Effect.map(inspect.traffic(params.id, manager as Manager), asData)
  }
  return handlers
})

/** Says of a key's record how the key stands now. */
export const statusNow = Effect.map(Clock.Clock, (clock) => (record: ApiKeyRecord) => {
  const now = new Date(clock.currentTimeMillisUnsafe()).toISOString()
  return { ...record, status: keyStatus(record, now) }
})
