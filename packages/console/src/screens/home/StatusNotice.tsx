import { Time } from "../../kit/data/Time.tsx"
import { Notice } from "../../kit/feedback/Notice.tsx"
import type { Organization } from "../../state/organization.ts"

/** Why an organization's keys are refused, if it is suspended or closed. */
export const StatusNotice = ({ organization }: { readonly organization: Organization }) => {
  const { status, status_changed_at, status_reason } = organization
  return (
    <Notice tone="bad" title={`This organization is ${status}`}>
      <p>
        The service refuses all its keys. {status_reason !== undefined && `Reason: ${status_reason}`}
        {status_changed_at !== undefined && (
          <>
            {" "}
            (<Time at={status_changed_at} />)
          </>
        )}
      </p>
    </Notice>
  )
}
