/** Adds an organization to the state, with empty balances. */
import type { Environment } from "@postcode/core/Credits"
import type { Organization } from "@postcode/gateway/organizations/Organization"
import { type NewEntry, StoredCreditAccount } from "../credits/StoredCreditAccount.ts"
import type { MemoryState, StoredOrganization } from "../MemoryState.ts"

export const openOrganization = (
  { creditSums, ledgerCapacity, organizations }: MemoryState["Service"],
  organization: Organization
): StoredOrganization => {
  const number = organizations.size + 1
  const open = (environment: Environment, name: string) =>
    new StoredCreditAccount(name, ledgerCapacity, (entry: NewEntry, at_ms: number) =>
      creditSums.add(environment, entry, at_ms)
    )
  const stored: StoredOrganization = {
    record: organization,
    closes_at: undefined,
    hasRequested: false,
    accounts: { test: open("test", `t${number}`), live: open("live", `l${number}`) },
    keys: []
  }
  organizations.set(organization.id, stored)
  return stored
}
