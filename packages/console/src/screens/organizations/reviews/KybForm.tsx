import { organizationLimits } from "@postcode/gateway/InputLimits"
import { useSignal } from "@preact/signals"
import { TextArea, TextField } from "../../../kit/forms/Field.tsx"
import { Form } from "../../../kit/forms/Form.tsx"
import { type Organization, reloadOrganization } from "../../../state/organization.ts"
import { call } from "../../../state/session.ts"
import { oneLine } from "./oneLine.ts"

export interface KybFormProps {
  readonly organization: Organization
  /** Called after the submission. */
  readonly onDone: () => void
}

/** Submits a business for verification. The previous submission is the initial value. */
export const KybForm = ({ onDone, organization: { id, kyb_submission, name } }: KybFormProps) => {
  const business = useSignal(kyb_submission?.business_name ?? name)
  const number = useSignal(kyb_submission?.registration_number ?? "")
  const note = useSignal("")
  const submit = async () => {
    const said = oneLine(note.value)
    const body = {
      business_name: business.value,
      registration_number: number.value,
      ...(said !== "" && { note: said })
    }
    await call("POST /v1/admin/organizations/:id/kyb", { params: { id }, body })
    await reloadOrganization()
    onDone()
    return "Submitted"
  }
  return (
    <Form onSubmit={submit} submit="Request verification">
      <TextField
        label="Name of the business"
        hint="As it is registered."
        name="business_name"
        value={business}
        maxLength={organizationLimits.business_name}
      />
      <TextField
        label="Registration number"
        hint="Operators and members of this organization see it."
        name="registration_number"
        value={number}
        maxLength={organizationLimits.registration_number}
      />
      <TextArea
        label="Note"
        hint="Anything that helps the operator who reviews it."
        name="note"
        value={note}
        maxLength={organizationLimits.note}
        isOptional
      />
    </Form>
  )
}
