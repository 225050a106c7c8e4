/** All handlers of the management API. The contract makes each of them for managers; see `Dispatch`. */
import { Effect } from "effect"
import type { GroupHandlers } from "../pipeline/Handler.ts"
import { auditHandlers } from "./audit.ts"
import { creditHandlers } from "./credits.ts"
import { directoryHandlers } from "./directory/directory.ts"
import { importHandlers } from "./directory/imports.ts"
import { keyHandlers } from "./keys/keys.ts"
import { noticeHandlers } from "./notices.ts"
import { accessRequestHandlers } from "./organizations/accessRequests.ts"
import { organizationHandlers } from "./organizations/organizations.ts"
import { ownOrganizationHandlers } from "./organizations/ownOrganization.ts"
import { usageHandlers } from "./usage.ts"
import { webhookHandlers } from "./webhooks.ts"
import { endUserHandlers } from "./widget/endUsers.ts"
import { selectionHandlers } from "./widget/selections.ts"
import { widgetSettingsHandlers } from "./widget/widgetSettings.ts"

export const managementHandlers = Effect.gen(function* () {
  const handlers: GroupHandlers<"management"> = {
    ...(yield* organizationHandlers),
    ...(yield* ownOrganizationHandlers),
    ...(yield* accessRequestHandlers),
    ...(yield* keyHandlers),
    ...(yield* creditHandlers),
    ...(yield* usageHandlers),
    ...(yield* selectionHandlers),
    ...(yield* webhookHandlers),
    ...(yield* noticeHandlers),
    ...(yield* endUserHandlers),
    ...(yield* widgetSettingsHandlers),
    ...(yield* directoryHandlers),
    ...(yield* importHandlers),
    ...(yield* auditHandlers)
  }
  return handlers
})
