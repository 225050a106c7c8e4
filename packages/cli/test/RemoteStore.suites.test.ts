/** The conformance suites of core's ports, on the store of another thread. */
import type { Postcode } from "@postcode/core/Postcode"
import { accessRequestsSuite } from "@postcode/core/testing/AccessRequestsSuite"
import { accountsSuite } from "@postcode/core/testing/AccountsSuite"
import { apiKeysSuite } from "@postcode/core/testing/ApiKeysSuite"
import { auditLogSuite } from "@postcode/core/testing/AuditLogSuite"
import { consoleSessionsSuite } from "@postcode/core/testing/ConsoleSessionsSuite"
import { creditLedgerSuite } from "@postcode/core/testing/CreditLedgerSuite"
import { endUsersSuite } from "@postcode/core/testing/EndUsersSuite"
import { lowBalanceSuite } from "@postcode/core/testing/LowBalanceSuite"
import { organizationsSuite } from "@postcode/core/testing/OrganizationsSuite"
import { passkeysSuite } from "@postcode/core/testing/PasskeysSuite"
import { rateLimiterSuite } from "@postcode/core/testing/RateLimiterSuite"
import { selectionsSuite } from "@postcode/core/testing/SelectionsSuite"
import { transactionsSuite } from "@postcode/core/testing/TransactionsSuite"
import { type UnitsSample, unitsSuite } from "@postcode/core/testing/UnitsSuite"
import { usageLogSuite } from "@postcode/core/testing/UsageLogSuite"
import { webhooksSuite } from "@postcode/core/testing/WebhooksSuite"
import { makeStoreThread } from "./StoreThread.ts"

const name = "in another thread"
const onTheRealClock = `${name}, on the real clock`
const stopped = makeStoreThread({ stillClock: true })
const { advance } = stopped

organizationsSuite(name, stopped.layer)
apiKeysSuite(name, stopped.layer, { advance })
creditLedgerSuite(name, stopped.layer, { advance })
selectionsSuite(name, stopped.layer)
webhooksSuite(name, stopped.layer)
lowBalanceSuite(name, stopped.layer)
accessRequestsSuite(name, stopped.layer)
auditLogSuite(name, stopped.layer)
accountsSuite(name, stopped.layer)
consoleSessionsSuite(name, stopped.layer)
passkeysSuite(name, stopped.layer)
usageLogSuite(name, stopped.layer, { advance })
endUsersSuite(name, stopped.layer)
transactionsSuite(name, stopped.layer)
rateLimiterSuite(name, stopped.layer, { advance })
creditLedgerSuite(onTheRealClock, makeStoreThread().layer)
rateLimiterSuite(onTheRealClock, makeStoreThread().layer)

const everything = {
  locality_name: "Ọjọ́dù",
  recent_address: "4 Ògúnnúsì Road, “Flat 2”",
  building_use_status: "residential",
  building_type: "duplex",
  building_owner: "private",
  delivery_point: true
}
const sample: UnitsSample = {
  known: [
    ["LA-12-A03-BG-07" as Postcode, everything],
    ["LA-12-A03-BG-08" as Postcode, { building_type: "duplex", delivery_point: false }],
    ["LA-12-A03-BG-09" as Postcode, {}]
  ],
  unknown: "LA-12-A03-BG-99" as Postcode
}
unitsSuite(name, makeStoreThread({ units: sample.known }).layer, sample)
