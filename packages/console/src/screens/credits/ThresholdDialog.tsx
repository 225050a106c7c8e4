import { useSignal } from "@preact/signals"
import { messageOn } from "../../client/Problem.ts"
import { useAction } from "../../hooks/useAction.ts"
import { Dialog } from "../../kit/dialogs/Dialog.tsx"
import { announce } from "../../kit/feedback/announce.ts"
import { TextField } from "../../kit/forms/Field.tsx"
import { Form } from "../../kit/forms/Form.tsx"
import { call } from "../../state/session.ts"
import type { CreditAccountDialogProps } from "./CreditAccount.ts"

export interface ThresholdDialogProps extends CreditAccountDialogProps {
  /** The current threshold; null if there is none. */
  readonly threshold: number | null
}

/** Sets the low-balance threshold, below which webhooks get an event. */
export const ThresholdDialog = ({ environment, onClose, onDone, organization, threshold }: ThresholdDialogProps) => {
  const typed = useSignal(threshold === null ? "" : String(threshold))
  const action = useAction(async () => {
    await call("PUT /v1/admin/organizations/:id/credits/threshold", {
      params: { id: organization },
      body: { environment, threshold: typed.value === "" ? null : Number(typed.value) }
    })
    onDone()
    onClose()
    announce("Saved")
  })
  return (
    <Dialog title={`When ${environment} credits are low`} onClose={onClose}>
      <Form action={action} submit="Save" onCancel={onClose}>
        <TextField
          label="Low below"
          hint="In credits; empty for never."
          type="number"
          min={1}
          max={1_000_000_000_000}
          value={typed}
          error={messageOn(action.problem, "threshold")}
          isOptional
          hasFocus
        />
        <p class="muted">
          <a href={`#/organizations/${organization}/webhooks`}>Webhooks</a> are told once when the balance falls below
          it, and again only after it was topped up in between.
        </p>
      </Form>
    </Dialog>
  )
}
