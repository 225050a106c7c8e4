/** A store as an application passes it to `createGateway`, without Effect in the application's code. */
import type { Layer } from "effect"
import type { Accounts } from "./accounts/Accounts.ts"
import type { DeviceLogins } from "./accounts/deviceLogins/DeviceLogins.ts"
import type { AccountLinks } from "./accounts/links/AccountLinks.ts"
import type { ManagementKeys } from "./accounts/managementKeys/ManagementKeys.ts"
import type { Passwords } from "./accounts/Passwords.ts"
import type { PasskeyCeremonies } from "./accounts/passkeys/PasskeyCeremonies.ts"
import type { Passkeys } from "./accounts/passkeys/Passkeys.ts"
import type { ConsoleSessions } from "./accounts/sessions/ConsoleSessions.ts"
import type { AuditLog } from "./audit/AuditLog.ts"
import type { CreditLedger } from "./credits/CreditLedger.ts"
import type { CurrentDirectory } from "./directory/CurrentDirectory.ts"
import type { DirectoryChanges } from "./directory/changes/DirectoryChanges.ts"
import type { DirectoryImports } from "./directory/imports/DirectoryImports.ts"
import type { Units } from "./directory/Units.ts"
import type { ApiKeys } from "./keys/ApiKeys.ts"
import type { RateLimiter } from "./limits/RateLimiter.ts"
import type { NoticeSecrets } from "./notices/NoticeSecrets.ts"
import type { Notices } from "./notices/Notices.ts"
import type { AccessRequests } from "./organizations/AccessRequests.ts"
import type { Organizations } from "./organizations/Organizations.ts"
import type { Secrets } from "./store/Secrets.ts"
import type { Transactions } from "./store/Transactions.ts"
import type { UsageLog } from "./usage/UsageLog.ts"
import type { WebhookQueue } from "./webhooks/WebhookQueue.ts"
import type { WebhookSecrets } from "./webhooks/WebhookSecrets.ts"
import type { Webhooks } from "./webhooks/Webhooks.ts"
import type { OwnBookmarks } from "./widget/bookmarks/OwnBookmarks.ts"
import type { EndUsers } from "./widget/endUsers/EndUsers.ts"
import type { ProofKeys } from "./widget/endUsers/ProofKeys.ts"
import type { Selections } from "./widget/selections/Selections.ts"
import type { SessionTokens } from "./widget/sessions/SessionTokens.ts"
import type { SessionUses } from "./widget/sessions/SessionUses.ts"
import type { WidgetSettings } from "./widget/WidgetSettings.ts"

/** The ports that every store implements. */
export type StorePorts =
  | AccessRequests
  | AccountLinks
  | DeviceLogins
  | Accounts
  | ApiKeys
  | AuditLog
  | ConsoleSessions
  | CreditLedger
  | EndUsers
  | ManagementKeys
  | Notices
  | Organizations
  | OwnBookmarks
  | Passkeys
  | RateLimiter
  | Selections
  | SessionUses
  | Transactions
  | UsageLog
  | WebhookQueue
  | Webhooks
  | WidgetSettings

/** The ports of a directory. */
export type DirectoryPorts = CurrentDirectory | DirectoryChanges | DirectoryImports | Units

/** The ports of secrets and cryptography. */
export type SecretPorts =
  | NoticeSecrets
  | PasskeyCeremonies
  | Passwords
  | ProofKeys
  | Secrets
  | SessionTokens
  | WebhookSecrets

export interface Store {
  /** Whether other processes use the same store: then all of them need the same secrets. */
  readonly isShared: boolean
  /** Whether the store keeps a directory, which is served unless the application passes another. */
  readonly hasDirectory: boolean
  /** What is wrong with the options of the store, such as `url: expected …`. */
  readonly faults: ReadonlyArray<string>
  /**
   * Opens the store.
   *
   * @param directory the directory of the application; undefined for that of the store
   */
  readonly layer: (
    directory: Layer.Layer<DirectoryPorts> | undefined
  ) => Layer.Layer<DirectoryPorts | StorePorts, { readonly message: string }, Secrets>
}
