/**
 * The conformance suites of the ports of a store, and the records that they create. They need vitest and
 * `@effect/vitest`.
 */

export { dies, failsWith } from "./fixtures/Failures.ts"
export { inOneDay } from "./fixtures/InOneDay.ts"
export { readAll } from "./fixtures/Paging.ts"
export {
  newAccessRequest,
  newEvent,
  newKey,
  newOrganization,
  newUsageEvent,
  nextTimestamp,
  storedKey,
  storedOrganization,
  unique
} from "./fixtures/Records.ts"
export type { SuiteOptions } from "./fixtures/SuiteOptions.ts"
export { auditLogSuite } from "./ports/AuditLogSuite.ts"
export { accountLinksSuite } from "./ports/accounts/AccountLinksSuite.ts"
export { accountsSuite, member, newAccount, newInvitation } from "./ports/accounts/AccountsSuite.ts"
export { consoleSessionsSuite } from "./ports/accounts/ConsoleSessionsSuite.ts"
export { deviceLoginsSuite } from "./ports/accounts/DeviceLoginsSuite.ts"
export { managementKeysSuite } from "./ports/accounts/ManagementKeysSuite.ts"
export { passkeysSuite } from "./ports/accounts/PasskeysSuite.ts"
export { entriesOf, openAccount } from "./ports/credits/CreditAccounts.ts"
export { creditLedgerSuite, type LedgerPorts } from "./ports/credits/CreditLedgerSuite.ts"
export { dailyLimitEventsSuite } from "./ports/credits/DailyLimitEventsSuite.ts"
export { lowBalanceSuite } from "./ports/credits/LowBalanceSuite.ts"
export {
  currentDirectorySuite,
  type DirectoryChange,
  type DirectorySample
} from "./ports/directory/CurrentDirectorySuite.ts"
export { type ChangesSample, directoryChangesSuite } from "./ports/directory/DirectoryChangesSuite.ts"
export { type UnitsSample, unitsSuite } from "./ports/directory/UnitsSuite.ts"
export { apiKeysSuite } from "./ports/keys/ApiKeysSuite.ts"
export { type NoticesOptions, newNotice, noticesSuite, suiteNoticeLimits } from "./ports/notices/NoticesSuite.ts"
export { accessRequestsSuite } from "./ports/organizations/AccessRequestsSuite.ts"
export { organizationsSuite } from "./ports/organizations/OrganizationsSuite.ts"
export { unusedOrganizationsSuite } from "./ports/organizations/UnusedOrganizationsSuite.ts"
export { rateLimiterSuite } from "./ports/RateLimiterSuite.ts"
export { secretsSuite, type TestPepper } from "./ports/store/SecretsSuite.ts"
export { transactionsSuite } from "./ports/store/TransactionsSuite.ts"
export { usageLogSuite } from "./ports/UsageLogSuite.ts"
export { type QueueOptions, webhookQueueSuite } from "./ports/webhooks/WebhookQueueSuite.ts"
export { newTestEvent, newWebhook, storedWebhook, webhooksSuite } from "./ports/webhooks/WebhooksSuite.ts"
export { endUsersSuite } from "./ports/widget/EndUsersSuite.ts"
export { ownBookmarksSuite } from "./ports/widget/OwnBookmarksSuite.ts"
export { newSelection, selectionsSuite } from "./ports/widget/SelectionsSuite.ts"
export { type KeyNames, sessionTokensSuite } from "./ports/widget/SessionTokensSuite.ts"
export { sessionUsesSuite } from "./ports/widget/SessionUsesSuite.ts"
export { widgetSettingsSuite } from "./ports/widget/WidgetSettingsSuite.ts"
