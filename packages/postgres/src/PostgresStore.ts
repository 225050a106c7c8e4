/** All ports on PostgreSQL, except those of the directory, over one connection pool. */
import { Layer } from "effect"
import { layerAccountLinks } from "./accounts/AccountLinks.ts"
import { layerAccounts } from "./accounts/Accounts.ts"
import { layerConsoleSessions } from "./accounts/ConsoleSessions.ts"
import { layerDeviceLogins } from "./accounts/DeviceLogins.ts"
import { layerManagementKeys } from "./accounts/ManagementKeys.ts"
import { layerPasskeys } from "./accounts/Passkeys.ts"
import { layerAuditLog } from "./audit/AuditLog.ts"
import { type DatabaseOptions, layerDatabase } from "./connection/Database.ts"
import { layerTransactions } from "./connection/transactions/Transactions.ts"
import { layerCreditLedger } from "./credits/CreditLedger.ts"
import { layerApiKeys } from "./keys/ApiKeys.ts"
import { layerKeyCopies } from "./keys/KeyCopies.ts"
import { layerRateLimiter } from "./limits/RateLimiter.ts"
import { layerNotices } from "./notices/Notices.ts"
import { layerAccessRequests } from "./organizations/AccessRequests.ts"
import { layerOrganizations } from "./organizations/Organizations.ts"
import { layerUsageLog } from "./usage/UsageLog.ts"
import { layerWebhookQueue } from "./webhooks/WebhookQueue.ts"
import { layerWebhooks } from "./webhooks/Webhooks.ts"
import { layerEndUsers } from "./widget/EndUsers.ts"
import { layerOwnBookmarks } from "./widget/OwnBookmarks.ts"
import { layerSelections } from "./widget/Selections.ts"
import { layerSessionUses } from "./widget/SessionUses.ts"
import { layerWidgetSettings } from "./widget/WidgetSettings.ts"

/**
 * All ports except those of the directory: provide `layerCurrentDirectory`, `layerUnits` and `layerDirectoryChanges` on
 * the same pool. The schema must exist, see `prepareDatabase`. While the database is unavailable, calls fail with `Unavailable`. When the
 * scope closes, all ports store their buffered data at the same time.
 */
export const layer = (options: DatabaseOptions) =>
  Layer.mergeAll(
    layerOrganizations,
    layerApiKeys,
    layerCreditLedger,
    layerAccessRequests,
    layerUsageLog(),
    layerAuditLog,
    layerSelections(),
    layerEndUsers,
    layerSessionUses,
    layerOwnBookmarks,
    layerWidgetSettings,
    layerRateLimiter(),
    layerTransactions,
    layerAccounts,
    layerAccountLinks,
    layerDeviceLogins,
    layerConsoleSessions,
    layerManagementKeys,
    layerPasskeys,
    layerNotices,
    layerWebhooks,
    layerWebhookQueue
  ).pipe(Layer.provideMerge(layerKeyCopies), Layer.provideMerge(layerDatabase(options)))
