/** The conformance suites of core's ports, on the whole store at once. */
import { accessRequestsSuite } from "@postcode/core/testing/AccessRequestsSuite"
import { accountsSuite } from "@postcode/core/testing/AccountsSuite"
import { apiKeysSuite } from "@postcode/core/testing/ApiKeysSuite"
import { auditLogSuite } from "@postcode/core/testing/AuditLogSuite"
import { consoleSessionsSuite } from "@postcode/core/testing/ConsoleSessionsSuite"
import { creditLedgerSuite } from "@postcode/core/testing/CreditLedgerSuite"
import { endUsersSuite } from "@postcode/core/testing/EndUsersSuite"
import { organizationsSuite } from "@postcode/core/testing/OrganizationsSuite"
import { passkeysSuite } from "@postcode/core/testing/PasskeysSuite"
import { rateLimiterSuite } from "@postcode/core/testing/RateLimiterSuite"
import { selectionsSuite } from "@postcode/core/testing/SelectionsSuite"
import { transactionsSuite } from "@postcode/core/testing/TransactionsSuite"
import { usageLogSuite } from "@postcode/core/testing/UsageLogSuite"
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
passkeysSuite("in memory", store)
usageLogSuite("in memory", store, options)
endUsersSuite("in memory", store)
transactionsSuite("in memory", store)
selectionsSuite("in memory", store)
rateLimiterSuite("in memory", store, options)

// What the suites test where time cannot be moved must hold as well.
creditLedgerSuite("in memory, on the real clock", MemoryStore.layer)
rateLimiterSuite("in memory, on the real clock", MemoryStore.layer)
