/**
 * What several ports share: organizations with their credit accounts, API keys, and the accounts of people. Everything
 * happens on one thread, so whatever a port does between two awaits is one step for all the others; no port awaits within
 * a step.
 */
import type { ApiKeyRecord, Principal } from "@postcode/core/ApiKey"
import type { Credentials } from "@postcode/core/accounts/Accounts"
import type { Environment } from "@postcode/core/Credits"
import type { Organization } from "@postcode/core/Organization"
import { Context, Effect, Layer } from "effect"
import type { DailySpending } from "./credits/DailySpending.ts"
import { LedgerRoom } from "./credits/LedgerRoom.ts"
import type { StoredCreditAccount } from "./credits/StoredCreditAccount.ts"
import { Retention } from "./retention/Retention.ts"
import { StoredWebhooks } from "./webhooks/StoredWebhooks.ts"

export interface StoredOrganization {
  record: Organization
  readonly accounts: Readonly<Record<Environment, StoredCreditAccount>>
  /** In the order in which they were made. */
  readonly keys: Array<StoredKey>
}

export interface StoredKey {
  readonly organization: StoredOrganization
  record: ApiKeyRecord
  /** Kept apart from the record, because it changes with every request. */
  last_used_at: string | undefined
  /** What it has charged, day by day. */
  readonly spending: DailySpending
  /** What was last answered for this key; made again when its organization has changed. */
  principal: Principal | undefined
  /** The organization as it was then. */
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
    readonly ledgerRoom: LedgerRoom
  }
>()("@postcode/memory/MemoryState") {}

/** An empty state. Ports that are to see the same data must be given the same one. */
export const layerMemoryState: Layer.Layer<MemoryState> = Layer.effect(
  MemoryState,
  Effect.map(Retention, ({ ledgerEntries }) => ({
    organizations: new Map(),
    keys: new Map(),
    accounts: new Map(),
    webhooks: new StoredWebhooks(),
    ledgerRoom: new LedgerRoom(ledgerEntries)
  }))
)
