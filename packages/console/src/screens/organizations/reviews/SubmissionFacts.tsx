import { Facts } from "../../../kit/data/Facts.tsx"
import { Time } from "../../../kit/data/Time.tsx"
import type { Organization } from "../../../state/organization.ts"

/** The data of a KYB submission. */
export const SubmissionFacts = ({ submission }: { readonly submission: Organization["kyb_submission"] }) =>
  submission === undefined ? (
    <p class="muted">No information about the business was submitted.</p>
  ) : (
    <Facts
      facts={[
        ["Name of the business", submission.business_name],
        ["Registration number", submission.registration_number],
        ["Note by the business", submission.note],
        ["Submitted", <Time key="sent" at={submission.submitted_at} />]
      ]}
    />
  )
