import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { AuditList } from "./AuditList.tsx"

/** The audit log of the instance, including all organizations. */
export const InstanceAuditScreen = () => (
  <>
    <PageHeader title="Full audit" lead="Who did what, in every organization. Nobody can change what is noted here." />
    <AuditList />
  </>
)
