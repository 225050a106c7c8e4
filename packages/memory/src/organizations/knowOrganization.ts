/** For stores that keep organizations elsewhere, and other ports in memory. */
import type { Organization } from "@postcode/gateway/organizations/Organization"
import { StoredCreditAccount } from "../credits/StoredCreditAccount.ts"
import type { MemoryState } from "../MemoryState.ts"

/**
 * Tells the ports of a state that there is an organization, and how it is now. Management keys, webhooks, usage and
 * notices ask the state, so it must be told of every organization at the start, of each new one, and of each change.
 */
export const knowOrganization = (
  { ledgerCapacity, organizations }: MemoryState["Service"],
  organization: Organization
): void => {
  const known = organizations.get(organization.id)
  if (known !== undefined) {
    known.record = organization
    return
  }
  const number = organizations.size + 1
  const accounts = {
    test: new StoredCreditAccount(`t${number}`, ledgerCapacity),
    live: new StoredCreditAccount(`l${number}`, ledgerCapacity)
  }
  organizations.set(organization.id, { record: organization, accounts, keys: [] })
}
