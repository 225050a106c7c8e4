import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { AuditList } from "./AuditList.tsx"

/** The audit log of the instance, including all organizations. */
export const InstanceAuditScreen = () => (
  <>
    <PageHeader title="Full audit" lead="Who did what, in all organizations. Entries cannot be changed." />
    <AuditList />
  </>
)
