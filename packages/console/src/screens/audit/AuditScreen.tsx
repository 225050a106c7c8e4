import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { AuditList } from "./AuditList.tsx"

interface AuditScreenProps {
  readonly params: { readonly organization: string }
}

/** The audit log of an organization. */
export const AuditScreen = ({ params: { organization } }: AuditScreenProps) => (
  <>
    <PageHeader title="Audit" lead="Who did what in this organization. Nobody can change what is noted here." />
    <AuditList organization={organization} />
  </>
)
