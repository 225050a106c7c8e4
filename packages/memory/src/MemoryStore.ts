/** Everything that is stored, in memory: the ports together, over one state. */
import { Layer } from "effect"
import { layerAccessRequests } from "./AccessRequests.ts"
import { layerAccounts } from "./Accounts.ts"
import { layerApiKeys } from "./ApiKeys.ts"
import { layerAuditLog } from "./AuditLog.ts"
import { layerConsoleSessions } from "./ConsoleSessions.ts"
import { layerCreditLedger } from "./CreditLedger.ts"
import { layerEndUsers } from "./EndUsers.ts"
import { layerMemoryState } from "./MemoryState.ts"
import { layerOrganizations } from "./Organizations.ts"
import { layerPasskeys } from "./Passkeys.ts"
import { layerRateLimiter } from "./RateLimiter.ts"
import { layerSelections } from "./Selections.ts"
import { layerTransactions } from "./Transactions.ts"
import { layerUsageLog } from "./UsageLog.ts"
import { layerWebhookQueue } from "./WebhookQueue.ts"
import { layerWebhooks } from "./Webhooks.ts"

/** A store that begins empty and ends with the process. */
export const layer = Layer.mergeAll(
  layerOrganizations,
  layerApiKeys,
  layerCreditLedger,
  layerAccessRequests,
  layerUsageLog,
  layerAuditLog,
  layerEndUsers,
  layerSelections,
  layerTransactions,
  layerAccounts,
  layerConsoleSessions,
  layerPasskeys,
  layerWebhooks,
  layerWebhookQueue,
  layerRateLimiter()
).pipe(Layer.provide(layerMemoryState))
