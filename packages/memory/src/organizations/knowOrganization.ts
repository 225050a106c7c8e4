/** For stores that keep organizations elsewhere, and other ports in memory. */
import type { Organization } from "@postcode/gateway/organizations/Organization"
import type { MemoryState } from "../MemoryState.ts"
import { openOrganization } from "./openOrganization.ts"

/**
 * Tells the ports of a state that there is an organization, and how it is now. Management keys, webhooks, usage and
 * notices ask the state, so it must be told of every organization at the start, of each new one, and of each change.
 */
export const knowOrganization = (state: MemoryState["Service"], organization: Organization): void => {
  const known = state.organizations.get(organization.id)
  if (known === undefined) openOrganization(state, organization)
  else known.record = organization
}
