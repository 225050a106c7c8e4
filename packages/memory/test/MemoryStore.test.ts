/** The conformance suites of core's ports, on the whole store at once. */

import { accountsSuite } from "@postcode/gateway/accounts/AccountsSuite"
import { managementKeysSuite } from "@postcode/gateway/accounts/managementKeys/ManagementKeysSuite"
import { passkeysSuite } from "@postcode/gateway/accounts/passkeys/PasskeysSuite"
import { consoleSessionsSuite } from "@postcode/gateway/accounts/sessions/ConsoleSessionsSuite"
import { auditLogSuite } from "@postcode/gateway/audit/AuditLogSuite"
import { creditLedgerSuite } from "@postcode/gateway/credits/CreditLedgerSuite"
import { apiKeysSuite } from "@postcode/gateway/keys/ApiKeysSuite"
import { rateLimiterSuite } from "@postcode/gateway/limits/RateLimiterSuite"
import { accessRequestsSuite } from "@postcode/gateway/organizations/AccessRequestsSuite"
import { organizationsSuite } from "@postcode/gateway/organizations/OrganizationsSuite"
import { transactionsSuite } from "@postcode/gateway/store/TransactionsSuite"
import { usageLogSuite } from "@postcode/gateway/usage/UsageLogSuite"
import { ownBookmarksSuite } from "@postcode/gateway/widget/bookmarks/OwnBookmarksSuite"
import { endUsersSuite } from "@postcode/gateway/widget/endUsers/EndUsersSuite"
import { selectionsSuite } from "@postcode/gateway/widget/selections/SelectionsSuite"
import { sessionUsesSuite } from "@postcode/gateway/widget/sessions/SessionUsesSuite"
import { widgetSettingsSuite } from "@postcode/gateway/widget/WidgetSettingsSuite"
import { MemoryStore } from "@postcode/memory"
import { Layer } from "effect"
import { TestClock } from "effect/testing"

const store = Layer.provideMerge(MemoryStore.layer, TestClock.layer())
const options = { advance: TestClock.adjust }

organizationsSuite("in memory", store)
apiKeysSuite("in memory", store, options)
creditLedgerSuite("in memory", store, options)
accessRequestsSuite("in memory", store)
auditLogSuite("in memory", store)
accountsSuite("in memory", store)
consoleSessionsSuite("in memory", store)
managementKeysSuite("in memory", store)
sessionUsesSuite("in memory", store)
ownBookmarksSuite("in memory", store)
widgetSettingsSuite("in memory", store)
passkeysSuite("in memory", store)
usageLogSuite("in memory", store, options)
endUsersSuite("in memory", store)
transactionsSuite("in memory", store)
selectionsSuite("in memory", store)
rateLimiterSuite("in memory", store, options)

// What the suites test where time cannot be moved must hold as well.
creditLedgerSuite("in memory, on the real clock", MemoryStore.layer)
rateLimiterSuite("in memory, on the real clock", MemoryStore.layer)
