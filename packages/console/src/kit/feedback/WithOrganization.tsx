import type { ComponentChildren } from "preact"
import { type Organization, organization, organizationProblem, reloadOrganization } from "../../state/organization.ts"
import { WhenLoaded } from "./WhenLoaded.tsx"

/** The selected organization, once it is loaded. Another one is another component, with its own state. */
export const WithOrganization = ({ children }: { children: (organization: Organization) => ComponentChildren }) => {
  const problem = organizationProblem.value
  const loaded = { data: organization.value, problem, isLoading: problem === undefined, reload: reloadOrganization }
  return <WhenLoaded loaded={loaded}>{children}</WhenLoaded>
}
