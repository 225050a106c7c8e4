/** Everything that is stored, on PostgreSQL: the ports together, over one pool of connections. */
import { Layer } from "effect"
import { layerAccessRequests } from "./AccessRequests.ts"
import { layerAccounts } from "./Accounts.ts"
import { layerApiKeys } from "./ApiKeys.ts"
import { layerAuditLog } from "./AuditLog.ts"
import { layerConsoleSessions } from "./ConsoleSessions.ts"
import { layerCreditLedger } from "./CreditLedger.ts"
import { type DatabaseOptions, layerDatabase } from "./Database.ts"
import { layerEndUsers } from "./EndUsers.ts"
import { layerEpochs } from "./Epochs.ts"
import { layerOrganizations } from "./Organizations.ts"
import { layerPasskeys } from "./Passkeys.ts"
import { layerRateLimiter } from "./RateLimiter.ts"
import { layerSelections } from "./Selections.ts"
import { layerTransactions } from "./Transactions.ts"
import { layerUsageLog } from "./UsageLog.ts"
import { layerWebhookQueue } from "./WebhookQueue.ts"
import { layerWebhooks } from "./Webhooks.ts"

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
  ).pipe(Layer.provideMerge(layerEpochs), Layer.provideMerge(layerDatabase(options)))
