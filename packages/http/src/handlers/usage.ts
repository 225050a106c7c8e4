import type { Manager } from "@postcode/gateway/ManagementAccess"
import { reportUsage } from "@postcode/gateway/usage/reportUsage"
import { Effect } from "effect"
import type { GroupHandlers } from "../pipeline/Handler.ts"

type UsageHandlers = Pick<GroupHandlers<"management">, "usage">

export const usageHandlers = Effect.gen(function* () {
  const report = yield* reportUsage

  const handlers: UsageHandlers = {
    usage: ({ manager, params, query: { by, environment, from, key_id, to } }) =>
      Effect.map(
        report({ organization_id: params.id, environment, from, to, by, key_id }, manager as Manager),
        (usage) => ({ data: { usage } })
      )
  }
  return handlers
})
