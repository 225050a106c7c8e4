import type { AccessLevel } from "@postcode/core/AccessLevel"
import { useSignal } from "@preact/signals"
import { messageOn } from "../../../client/Problem.ts"
import { useAction } from "../../../hooks/useAction.ts"
import { addedAt } from "../../../kit/data/levels.tsx"
import { Dialog } from "../../../kit/dialogs/Dialog.tsx"
import { announce } from "../../../kit/feedback/announce.ts"
import { ChoiceField, TextArea } from "../../../kit/forms/Field.tsx"
import { Form } from "../../../kit/forms/Form.tsx"
import type { Organization } from "../../../state/organization.ts"
import { call } from "../../../state/session.ts"
import { oneLine } from "./oneLine.ts"

export interface RequestLevelDialogProps {
  readonly organization: Organization
  /** The levels that can be requested. */
  readonly levels: ReadonlyArray<AccessLevel>
  readonly onClose: () => void
  /** Called after the request was sent. */
  readonly onDone: () => void
}

/** Requests a level above the granted one. */
export const RequestLevelDialog = ({ levels, onClose, onDone, organization: { id } }: RequestLevelDialogProps) => {
  const chosen = useSignal(String(levels[0]))
  const reason = useSignal("")
  const action = useAction(async () => {
    const level = levels.find((level) => String(level) === chosen.value) ?? 5
    const body = { level, reason: oneLine(reason.value) }
    await call("POST /v1/admin/organizations/:id/access-requests", { params: { id }, body })
    onDone()
    onClose()
    announce(`Level ${level} is asked for`)
  })
  return (
    <Dialog title="Ask for a higher level" onClose={onClose}>
      <Form action={action} submit="Ask" onCancel={onClose}>
        <ChoiceField
          label="Level"
          value={chosen}
          options={levels.map((level) => [String(level), `Level ${level}`, `Adds: ${addedAt(level).toLowerCase()}`])}
        />
        <TextArea
          label="Reason"
          hint="What it is needed for, and who will see it. The operators decide by this."
          value={reason}
          maximumLength={2000}
          error={messageOn(action.problem, "reason")}
        />
      </Form>
    </Dialog>
  )
}
