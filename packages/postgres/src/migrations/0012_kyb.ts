/** What organizations submit to be verified, and the order in which reviews and the audit log are read. */
import { runAll } from "./Statements.ts"

export const addKyb = runAll(
  // A column that may be empty needs no table to be written anew.
  "ALTER TABLE postcode.organizations ADD COLUMN kyb_submission json",
  // It is a business's own affair, and has no place in the samples that the planner keeps.
  "ALTER TABLE postcode.organizations ALTER COLUMN kyb_submission SET STATISTICS 0",
  "CREATE INDEX organizations_kyb_status ON postcode.organizations (kyb_status, number)",
  "CREATE INDEX access_requests_status ON postcode.access_requests (status, number)",
  "CREATE INDEX access_requests_organization_number ON postcode.access_requests (organization_id, number)",
  "CREATE INDEX audit_events_actor ON postcode.audit_events (actor, number)",
  "CREATE INDEX audit_events_subject ON postcode.audit_events (subject, number)",
  "CREATE INDEX audit_events_at ON postcode.audit_events (at)"
)
