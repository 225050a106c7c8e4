/** The conformance suites of core's ports, on the whole store at once. */

import { accountsSuite } from "@postcode/core/accounts/AccountsSuite"
import { managementKeysSuite } from "@postcode/core/accounts/managementKeys/ManagementKeysSuite"
import { passkeysSuite } from "@postcode/core/accounts/passkeys/PasskeysSuite"
import { consoleSessionsSuite } from "@postcode/core/accounts/sessions/ConsoleSessionsSuite"
import { auditLogSuite } from "@postcode/core/audit/AuditLogSuite"
import { creditLedgerSuite } from "@postcode/core/credits/CreditLedgerSuite"
import { apiKeysSuite } from "@postcode/core/keys/ApiKeysSuite"
import { rateLimiterSuite } from "@postcode/core/limits/RateLimiterSuite"
import { accessRequestsSuite } from "@postcode/core/organizations/AccessRequestsSuite"
import { organizationsSuite } from "@postcode/core/organizations/OrganizationsSuite"
import { transactionsSuite } from "@postcode/core/store/TransactionsSuite"
import { usageLogSuite } from "@postcode/core/usage/UsageLogSuite"
import { ownBookmarksSuite } from "@postcode/core/widget/bookmarks/OwnBookmarksSuite"
import { endUsersSuite } from "@postcode/core/widget/endUsers/EndUsersSuite"
import { selectionsSuite } from "@postcode/core/widget/selections/SelectionsSuite"
import { sessionUsesSuite } from "@postcode/core/widget/sessions/SessionUsesSuite"
import { widgetSettingsSuite } from "@postcode/core/widget/WidgetSettingsSuite"
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
