/** The conformance suites of core's ports, on the store of another thread. */

import { accountsSuite } from "@postcode/core/accounts/AccountsSuite"
import { passkeysSuite } from "@postcode/core/accounts/passkeys/PasskeysSuite"
import { consoleSessionsSuite } from "@postcode/core/accounts/sessions/ConsoleSessionsSuite"
import { auditLogSuite } from "@postcode/core/audit/AuditLogSuite"
import { creditLedgerSuite } from "@postcode/core/credits/CreditLedgerSuite"
import { lowBalanceSuite } from "@postcode/core/credits/LowBalanceSuite"
import { type UnitsSample, unitsSuite } from "@postcode/core/directory/UnitsSuite"
import { apiKeysSuite } from "@postcode/core/keys/ApiKeysSuite"
import { rateLimiterSuite } from "@postcode/core/limits/RateLimiterSuite"
import { accessRequestsSuite } from "@postcode/core/organizations/AccessRequestsSuite"
import { organizationsSuite } from "@postcode/core/organizations/OrganizationsSuite"
import type { Postcode } from "@postcode/core/Postcode"
import { transactionsSuite } from "@postcode/core/store/TransactionsSuite"
import { usageLogSuite } from "@postcode/core/usage/UsageLogSuite"
import { webhooksSuite } from "@postcode/core/webhooks/WebhooksSuite"
import { endUsersSuite } from "@postcode/core/widget/EndUsersSuite"
import { selectionsSuite } from "@postcode/core/widget/SelectionsSuite"
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
