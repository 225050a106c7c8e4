import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import type { OrganizationParams } from "../../router/Screen.ts"
import { AuditList } from "./AuditList.tsx"

/** The audit log of an organization. */
export const AuditScreen = ({ params: { organization } }: OrganizationParams) => (
  <>
    <PageHeader title="Audit" lead="Who did what in this organization. Entries cannot be changed." />
    <AuditList organization={organization} />
  </>
)
