import type { Manager } from "@postcode/gateway/ManagementAccess"
import { reportSelections } from "@postcode/gateway/widget/selections/reportSelections"
import { Effect } from "effect"
import type { GroupHandlers } from "../../pipeline/Handler.ts"

export const selectionHandlers = Effect.gen(function* () {
  const report = yield* reportSelections

  const handlers: Pick<GroupHandlers<"management">, "selections"> = {
    selections: ({ directory, manager, params, query: { environment, from, to } }) =>
      Effect.map(
        report({ organization_id: params.id, environment, from, to }, directory, manager as Manager),
        (selections) => ({ data: { selections } })
      )
  }
  return handlers
})
