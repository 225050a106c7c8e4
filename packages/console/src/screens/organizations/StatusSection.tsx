import { organizationLimits } from "@postcode/gateway/InputLimits"
import { useSignal } from "@preact/signals"
import { Facts } from "../../kit/data/Facts.tsx"
import { StatusBadge } from "../../kit/data/StatusBadge.tsx"
import { ExactTime } from "../../kit/data/Time.tsx"
import { ConfirmDialog } from "../../kit/dialogs/ConfirmDialog.tsx"
import { FormDialog } from "../../kit/dialogs/FormDialog.tsx"
import { openDialog } from "../../kit/dialogs/openedDialog.ts"
import { Button } from "../../kit/forms/Button.tsx"
import { TextArea } from "../../kit/forms/Field.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { type Organization, reloadOrganization } from "../../state/organization.ts"
import { call } from "../../state/session.ts"

interface OfOrganization {
  readonly organization: Organization
}

/** The status of an organization, and the actions that change it. */
export const StatusSection = ({ organization }: OfOrganization) => {
  const { status, status_changed_at, status_reason } = organization
  return (
    <Section
      title="Status"
      actions={
        <>
          {status === "active" && (
            <Button onClick={() => openDialog(<SuspendDialog organization={organization} />)}>Suspend</Button>
          )}
          {status === "suspended" && (
            <Button onClick={() => openDialog(<ResumeDialog organization={organization} />)}>Resume</Button>
          )}
          {status === "suspended" && (
            <Button kind="danger" onClick={() => openDialog(<CloseDialog organization={organization} />)}>
              Close
            </Button>
          )}
        </>
      }
    >
      <Facts
        facts={[
          ["Status", <StatusBadge key="status" status={status} />],
          ["Reason", status_reason],
          ["Since", status_changed_at && <ExactTime key="since" at={status_changed_at} />]
        ]}
      />
    </Section>
  )
}

const SuspendDialog = ({ organization: { id, name } }: OfOrganization) => {
  const reason = useSignal("")
  const suspend = async () => {
    await call("POST /v1/admin/organizations/:id/suspend", { params: { id }, body: { reason: reason.value } })
    await reloadOrganization()
    return "Suspended"
  }
  return (
    <FormDialog title={`Suspend ${name}?`} submit="Suspend" kind="danger" onSubmit={suspend}>
      <p>Its keys and widget sessions are refused until you resume it. Its members can still sign in and read.</p>
      <ReasonField value={reason} />
    </FormDialog>
  )
}

const ResumeDialog = ({ organization: { id, name } }: OfOrganization) => {
  const reason = useSignal("")
  const resume = async () => {
    await call("POST /v1/admin/organizations/:id/resume", { params: { id }, body: { reason: reason.value } })
    await reloadOrganization()
    return "Resumed"
  }
  return (
    <FormDialog title={`Resume ${name}?`} submit="Resume" onSubmit={resume}>
      <p>Its keys work again, unchanged.</p>
      <ReasonField value={reason} />
    </FormDialog>
  )
}

const CloseDialog = ({ organization: { id, name } }: OfOrganization) => {
  const reason = useSignal("")
  const close = async () => {
    await call("POST /v1/admin/organizations/:id/close", { params: { id }, body: { reason: reason.value } })
    await reloadOrganization()
    return "Closed"
  }
  return (
    <ConfirmDialog title={`Close ${name}?`} confirm="Close organization" typed={name} onConfirm={close}>
      <p>
        This cannot be undone. Its keys are revoked, and hashed identifiers are removed from its selections. Ledger,
        usage and audit log stay.
      </p>
      <ReasonField value={reason} />
    </ConfirmDialog>
  )
}

const ReasonField = ({ value }: { readonly value: { value: string } }) => (
  <TextArea label="Reason" hint="Its members see it." name="reason" value={value} maxLength={organizationLimits.note} />
)
