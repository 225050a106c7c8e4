import { type AccessLevel, accessLevels } from "@postcode/core/AccessLevel"
import { organizationLimits } from "@postcode/gateway/InputLimits"
import { useSignal } from "@preact/signals"
import { kybStates } from "../../kit/data/KybBadge.tsx"
import { addedAt, levelMeaning } from "../../kit/data/levels.ts"
import { SelectField, TextArea, TextField } from "../../kit/forms/Field.tsx"
import { Form } from "../../kit/forms/Form.tsx"
import { type Organization, reloadOrganization } from "../../state/organization.ts"
import { call } from "../../state/session.ts"
import { oneLine } from "./reviews/oneLine.ts"

export interface ChangeFormProps {
  readonly organization: Organization
  /** Called after a change. */
  readonly onDone: () => void
}

/** Sets level, verification and request limit of an organization, without a request from it. */
export const ChangeForm = ({ onDone, organization }: ChangeFormProps) => {
  const { granted_level, id, kyb_status, rate_limit_per_minute: limit } = organization
  const level = useSignal(String(granted_level))
  const status = useSignal(kyb_status)
  const requests = useSignal(limit === undefined ? "" : String(limit))
  const note = useSignal("")
  const nextLevel = accessLevels.find((each) => String(each) === level.value) ?? granted_level
  const nextLimit = requests.value === "" ? undefined : Number(requests.value)
  const reason = needingNote(
    nextLevel === granted_level ? undefined : nextLevel,
    status.value === kyb_status ? undefined : status.value
  )
  const save = async () => {
    const review_note = oneLine(note.value)
    const body = {
      ...(nextLevel !== granted_level && { granted_level: nextLevel }),
      ...(status.value !== kyb_status && { kyb_status: status.value }),
      ...(nextLimit !== limit && { rate_limit_per_minute: nextLimit ?? null }),
      ...(review_note !== "" && { review_note })
    }
    if (Object.keys(body).length === 0) return "Nothing was changed"
    await call("PATCH /v1/admin/organizations/:id", { params: { id }, body })
    await reloadOrganization()
    onDone()
    return "Saved"
  }
  return (
    <Form onSubmit={save} submit="Save changes">
      <SelectField
        label="Highest access level"
        hint={`${levelMeaning} Level ${nextLevel} adds: ${addedAt(nextLevel).toLowerCase()}.`}
        value={level}
        options={accessLevels.map((each) => [String(each), `Level ${each}`])}
      />
      <SelectField
        label="Verification"
        hint="Only verified businesses can create and use live keys."
        value={status}
        options={statuses}
      />
      <TextField
        label="Requests a minute, of all keys together"
        hint="Publishable keys have a separate limit of the same size. Leave it empty for the default of the service."
        type="number"
        min={1}
        max={organizationLimits.rate_limit_per_minute}
        name="rate_limit_per_minute"
        value={requests}
        isOptional
      />
      <TextArea
        label="Note"
        hint={`Owners of the organization see it, and the audit log records it.${reason === undefined ? "" : ` ${reason} needs one.`}`}
        name="review_note"
        value={note}
        maxLength={organizationLimits.note}
        isOptional={reason === undefined}
      />
    </Form>
  )
}

const statuses = Object.entries(kybStates).map(([status, [words]]) => [status, words] as const)

/** The change that the service refuses without a note; undefined if there is none. */
const needingNote = (
  level: AccessLevel | undefined,
  status: Organization["kyb_status"] | undefined
): string | undefined => {
  if (level === 5) return "Granting level 5"
  return status === "rejected" ? "Rejecting a verification" : undefined
}
