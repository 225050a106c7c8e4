import type { Manager } from "@postcode/gateway/ManagementAccess"
import { manageWidget } from "@postcode/gateway/widget/manageWidget"
import { Effect, Redacted } from "effect"
import type { GroupHandlers } from "../../pipeline/Handler.ts"
import { asData } from "../asData.ts"

type WidgetSettingsHandlers = Pick<
  GroupHandlers<"management">,
  "createProofKey" | "getWidgetSettings" | "setWidgetSettings"
>

export const widgetSettingsHandlers = Effect.gen(function* () {
  const manage = yield* manageWidget

  const handlers: WidgetSettingsHandlers = {
    getWidgetSettings: ({ manager, params }) => Effect.map(manage.get(params.id, manager as Manager), asData),
    setWidgetSettings: ({ manager, params, payload }) =>
      Effect.map(manage.set(params.id, payload, manager as Manager), asData),
    createProofKey: ({ manager, params }) =>
      Effect.map(manage.createProofKey(params.id, manager as Manager), ({ secret, ...key }) => ({
        data: { secret: Redacted.value(secret), ...key }
      }))
  }
  return handlers
})
