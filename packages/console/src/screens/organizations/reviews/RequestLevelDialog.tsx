import type { AccessLevel } from "@postcode/core/AccessLevel"
import { organizationLimits } from "@postcode/gateway/InputLimits"
import { useSignal } from "@preact/signals"
import { addedAt, levelMeaning } from "../../../kit/data/levels.ts"
import { FormDialog } from "../../../kit/dialogs/FormDialog.tsx"
import { ChoiceField, TextArea } from "../../../kit/forms/Field.tsx"
import type { Organization } from "../../../state/organization.ts"
import { call } from "../../../state/session.ts"
import { oneLine } from "./oneLine.ts"

export interface RequestLevelDialogProps {
  readonly organization: Organization
  /** The levels that can be requested. */
  readonly levels: ReadonlyArray<AccessLevel>
  /** Called after the request was sent. */
  readonly onDone: () => void
}

/** Requests a level above the granted one. */
export const RequestLevelDialog = ({ levels, onDone, organization: { id } }: RequestLevelDialogProps) => {
  const chosen = useSignal(String(levels[0]))
  const reason = useSignal("")
  const ask = async () => {
    const level = levels.find((level) => String(level) === chosen.value) ?? 5
    const body = { level, reason: oneLine(reason.value) }
    await call("POST /v1/admin/organizations/:id/access-requests", { params: { id }, body })
    onDone()
    return `Access level ${level} was requested`
  }
  return (
    <FormDialog title="Request a higher level" submit="Request level" onSubmit={ask}>
      <p class="muted">{levelMeaning}</p>
      <ChoiceField
        label="Access level"
        value={chosen}
        options={levels.map((level) => [String(level), `Level ${level}`, `Adds: ${addedAt(level).toLowerCase()}`])}
      />
      <TextArea
        label="Reason"
        hint="Why you need it, and who will see the data. Operators decide from this."
        name="reason"
        value={reason}
        maxLength={organizationLimits.note}
      />
    </FormDialog>
  )
}
