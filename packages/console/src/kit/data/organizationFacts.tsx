/** Which business an organization is: its name can be chosen freely, so decisions show what was verified as well. */
import type { DataOf } from "../../client/Contract.ts"
import { Notice } from "../feedback/Notice.tsx"
import { Copyable } from "./Copyable.tsx"
import type { Fact } from "./Facts.tsx"

type Organization = DataOf<"GET /v1/admin/organizations/:id">

/** The business name of the submission, if an operator has verified it. */
export const verifiedBusiness = ({ kyb_status, kyb_submission }: Organization): string | undefined =>
  kyb_status === "verified" ? kyb_submission?.business_name : undefined

/** The id, and the verified business name. */
export const identityFacts = (organization: Organization): ReadonlyArray<Fact> => [
  ["Id", <Copyable key="id" value={organization.id} label="id" isNamed />],
  ["Verified business", verifiedBusiness(organization) ?? <span class="muted">None</span>]
]

/** A warning if a verified organization has another name than when it was verified. */
export const RenameNotice = ({ organization }: { readonly organization: Organization }) =>
  organization.verified_name === undefined ? null : (
    <Notice tone="warning" title={`Renamed since verification from “${organization.verified_name}”`}>
      <p>Check that the name is still that of the business.</p>
    </Notice>
  )
