/** The conformance suites of gateway's ports, on the whole store at once. */

import {
  accessRequestsSuite,
  accountLinksSuite,
  accountsSuite,
  apiKeysSuite,
  auditLogSuite,
  consoleSessionsSuite,
  creditLedgerSuite,
  endUsersSuite,
  managementKeysSuite,
  organizationsSuite,
  ownBookmarksSuite,
  passkeysSuite,
  rateLimiterSuite,
  selectionsSuite,
  sessionUsesSuite,
  transactionsSuite,
  unusedOrganizationsSuite,
  usageLogSuite,
  widgetSettingsSuite
} from "@postcode/conformance"
import { MemoryStore } from "@postcode/memory"
import { Layer } from "effect"
import { TestClock } from "effect/testing"

const store = Layer.provideMerge(MemoryStore.layer, TestClock.layer())
const options = { advance: TestClock.adjust }

organizationsSuite("in memory", store)
unusedOrganizationsSuite("in memory", store)
apiKeysSuite("in memory", store, options)
creditLedgerSuite("in memory", store, options)
accessRequestsSuite("in memory", store)
auditLogSuite("in memory", store)
accountLinksSuite("in memory", store)
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
