/**
 * State that ports share: organizations with balances, API keys and accounts. On one thread, everything that a port
 * does between two awaits is atomic; no port awaits within an atomic step.
 */

import type { Environment } from "@postcode/core/Credits"
import type { Credentials } from "@postcode/gateway/accounts/Accounts"
import type { ApiKeyRecord, Principal } from "@postcode/gateway/keys/ApiKey"
import { NoticeLimits } from "@postcode/gateway/notices/Notice"
import type { Organization } from "@postcode/gateway/organizations/Organization"
import type { Bookmark } from "@postcode/gateway/widget/endUsers/EndUsers"
import { Context, Effect, Layer } from "effect"
import { CreditSums } from "./credits/CreditSums.ts"
import type { DailySpending } from "./credits/DailySpending.ts"
import { LedgerCapacity } from "./credits/LedgerCapacity.ts"
import type { StoredCreditAccount } from "./credits/StoredCreditAccount.ts"
import { StoredNotices } from "./notices/StoredNotices.ts"
import { Retention } from "./retention/Retention.ts"
import { StoredWebhooks } from "./webhooks/StoredWebhooks.ts"

export interface StoredOrganization {
  record: Organization
  /** When it is to be closed, see `Organizations.takeUnused`. */
  closes_at: string | undefined
  /** Whether it has ever requested a level. */
  hasRequested: boolean
  readonly accounts: Readonly<Record<Environment, StoredCreditAccount>>
  /** In order of creation. */
  readonly keys: Array<StoredKey>
}

export interface StoredKey {
  readonly organization: StoredOrganization
  record: ApiKeyRecord
  /** Separate from the record, because every request changes it. */
  last_used_at: string | undefined
  /** Whether its expiry was reported, see `ApiKeys.takeExpiring`. */
  isExpiryReported: boolean
  /** Credits charged per day. */
  readonly spending: DailySpending
  /** Cached principal of this key, rebuilt when its organization changes. */
  principal: Principal | undefined
  /** The organization that the cached principal is based on. */
  principalOf: Organization | undefined
}

export class MemoryState extends Context.Service<
  MemoryState,
  {
    readonly organizations: Map<string, StoredOrganization>
    readonly keys: Map<string, StoredKey>
    /** By their ids. */
    readonly accounts: Map<string, Credentials>
    readonly webhooks: StoredWebhooks
    readonly notices: StoredNotices
    /** Own bookmarks of end users: by organization and environment, then by the hash of an identifier. */
    readonly ownBookmarks: Map<string, Map<string, ReadonlyArray<Bookmark>>>
    readonly ledgerCapacity: LedgerCapacity
    readonly creditSums: CreditSums
  }
>()("@postcode/memory/MemoryState") {}

/** An empty state. Ports with the same data share one. */
export const layerMemoryState: Layer.Layer<MemoryState> = Layer.effect(
  MemoryState,
  Effect.gen(function* () {
    const { ledgerEntries, notices: capacity } = yield* Retention
    const accounts = new Map<string, Credentials>()
    const notices = new StoredNotices(yield* NoticeLimits, capacity, accounts)
    return {
      organizations: new Map(),
      keys: new Map(),
      accounts,
      webhooks: new StoredWebhooks(notices),
      notices,
      ownBookmarks: new Map(),
      ledgerCapacity: new LedgerCapacity(ledgerEntries),
      creditSums: new CreditSums()
    }
  })
)
