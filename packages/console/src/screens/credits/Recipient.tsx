import { useLoad } from "../../hooks/useLoad.ts"
import { Facts } from "../../kit/data/Facts.tsx"
import { identityFacts, RenameNotice } from "../../kit/data/organizationFacts.tsx"
import { WhenLoaded } from "../../kit/feedback/WhenLoaded.tsx"

/** The organization whose balance a dialog changes. */
export const Recipient = ({ organization: id }: { readonly organization: string }) => (
  <WhenLoaded loaded={useLoad("GET /v1/admin/organizations/:id", { params: { id } })}>
    {(organization) => (
      <>
        <Facts facts={[["Organization", organization.name], ...identityFacts(organization)]} />
        <RenameNotice organization={organization} />
      </>
    )}
  </WhenLoaded>
)
