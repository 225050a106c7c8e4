/** All ports in memory, over one state. */
import { Layer } from "effect"
import { layerApiKeys } from "./ApiKeys.ts"
import { layerAuditLog } from "./AuditLog.ts"
import { layerAccountLinks } from "./accounts/AccountLinks.ts"
import { layerAccounts } from "./accounts/Accounts.ts"
import { layerConsoleSessions } from "./accounts/ConsoleSessions.ts"
import { layerDeviceLogins } from "./accounts/DeviceLogins.ts"
import { layerManagementKeys } from "./accounts/ManagementKeys.ts"
import { layerPasskeys } from "./accounts/Passkeys.ts"
import { layerCreditLedger } from "./credits/CreditLedger.ts"
import { layerMemoryState } from "./MemoryState.ts"
import { layerNotices } from "./notices/Notices.ts"
import { layerAccessRequests } from "./organizations/AccessRequests.ts"
import { layerOrganizations } from "./organizations/Organizations.ts"
import { layerRateLimiter } from "./RateLimiter.ts"
import { layerTransactions } from "./Transactions.ts"
import { layerUsageLog } from "./UsageLog.ts"
import { layerWebhookQueue } from "./webhooks/WebhookQueue.ts"
import { layerWebhooks } from "./webhooks/Webhooks.ts"
import { layerEndUsers } from "./widget/EndUsers.ts"
import { layerOwnBookmarks } from "./widget/OwnBookmarks.ts"
import { layerSelections } from "./widget/Selections.ts"
import { layerSessionUses } from "./widget/SessionUses.ts"
import { layerWidgetSettings } from "./widget/WidgetSettings.ts"

/** An initially empty store that lives as long as the process. */
export const layer = Layer.mergeAll(
  layerOrganizations,
  layerApiKeys,
  layerCreditLedger,
  layerAccessRequests,
  layerUsageLog,
  layerAuditLog,
  layerEndUsers,
  layerSelections,
  layerSessionUses,
  layerOwnBookmarks,
  layerWidgetSettings,
  layerTransactions,
  layerAccounts,
  layerAccountLinks,
  layerDeviceLogins,
  layerConsoleSessions,
  layerManagementKeys,
  layerPasskeys,
  layerNotices,
  layerWebhooks,
  layerWebhookQueue,
  layerRateLimiter()
).pipe(Layer.provide(layerMemoryState))
