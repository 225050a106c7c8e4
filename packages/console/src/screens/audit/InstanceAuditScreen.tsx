import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { AuditList } from "./AuditList.tsx"

/** Who did what, in every organization and beside them. */
export const InstanceAuditScreen = () => (
  <>
    <PageHeader title="Full audit" lead="Who did what, in every organization. Nobody can change what is noted here." />
    <AuditList />
  </>
)
