import { Facts } from "../../../kit/data/Facts.tsx"
import { Time } from "../../../kit/data/Time.tsx"
import type { Organization } from "../../../state/organization.ts"

/** The data of a KYB submission. */
export const SubmissionFacts = ({ submission }: { readonly submission: Organization["kyb_submission"] }) =>
  submission === undefined ? (
    <p class="muted">Nothing was sent about the business.</p>
  ) : (
    <Facts
      facts={[
        ["Business", submission.business_name],
        ["Registration number", submission.registration_number],
        ["Note", submission.note],
        ["Sent", <Time key="sent" at={submission.submitted_at} />]
      ]}
    />
  )
