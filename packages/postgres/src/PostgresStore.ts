/** Everything that is stored, on PostgreSQL: the ports together, over one pool of connections. */
import { Layer } from "effect"
import { layerAccounts } from "./accounts/Accounts.ts"
import { layerConsoleSessions } from "./accounts/ConsoleSessions.ts"
import { layerPasskeys } from "./accounts/Passkeys.ts"
import { layerAuditLog } from "./audit/AuditLog.ts"
import { type DatabaseOptions, layerDatabase } from "./connection/Database.ts"
import { layerTransactions } from "./connection/Transactions.ts"
import { layerCreditLedger } from "./credits/CreditLedger.ts"
import { layerApiKeys } from "./keys/ApiKeys.ts"
import { layerKeyCopies } from "./keys/KeyCopies.ts"
import { layerRateLimiter } from "./limits/RateLimiter.ts"
import { layerAccessRequests } from "./organizations/AccessRequests.ts"
import { layerOrganizations } from "./organizations/Organizations.ts"
import { layerUsageLog } from "./usage/UsageLog.ts"
import { layerWebhookQueue } from "./webhooks/WebhookQueue.ts"
import { layerWebhooks } from "./webhooks/Webhooks.ts"
import { layerEndUsers } from "./widget/EndUsers.ts"
import { layerSelections } from "./widget/Selections.ts"

/**
 * Every port but those of the directory, for which `layerCurrentDirectory` and `layerUnits` stand on the same pool. The
 * schema has to be there: see `prepareDatabase`. A database that is away later makes calls fail with `Unavailable`, and
 * nothing else. When the scope closes, what is gathered in memory is stored first, by all ports at the same time.
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
    layerRateLimiter(),
    layerTransactions,
    layerAccounts,
    layerConsoleSessions,
    layerPasskeys,
    layerWebhooks,
    layerWebhookQueue
  ).pipe(Layer.provideMerge(layerKeyCopies), Layer.provideMerge(layerDatabase(options)))
