import { useSignal } from "@preact/signals"
import { FormDialog } from "../../kit/dialogs/FormDialog.tsx"
import { TextField } from "../../kit/forms/Field.tsx"
import { call } from "../../state/session.ts"
import type { CreditAccountDialogProps } from "./CreditAccount.ts"

export interface ThresholdDialogProps extends CreditAccountDialogProps {
  /** The current threshold; null if there is none. */
  readonly threshold: number | null
}

/** Sets the low-balance threshold, below which webhooks get an event. */
export const ThresholdDialog = ({ environment, onDone, organization, threshold }: ThresholdDialogProps) => {
  const typed = useSignal(threshold === null ? "" : String(threshold))
  const save = async () => {
    await call("PUT /v1/admin/organizations/:id/credits/threshold", {
      params: { id: organization },
      body: { environment, threshold: typed.value === "" ? null : Number(typed.value) }
    })
    onDone()
    return "Saved"
  }
  return (
    <FormDialog title={`When ${environment} credits are low`} submit="Save" onSubmit={save}>
      <TextField
        label="Low below"
        hint="In credits; empty for never."
        type="number"
        min={1}
        max={1_000_000_000_000}
        name="threshold"
        value={typed}
        isOptional
        hasFocus
      />
      <p class="muted">
        <a href={`#/organizations/${organization}/webhooks`}>Webhooks</a> are told once when the balance falls below it,
        and again only after it was topped up in between.
      </p>
    </FormDialog>
  )
}
