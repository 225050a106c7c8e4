import { creditLimits } from "@postcode/gateway/InputLimits"
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
    <FormDialog title={`Low-balance threshold for ${environment} credits`} submit="Save" onSubmit={save}>
      <TextField
        label="Threshold"
        hint="In credits. Leave it empty for no threshold."
        type="number"
        min={1}
        max={creditLimits.threshold}
        name="threshold"
        value={typed}
        isOptional
        hasFocus
      />
      <p class="muted">
        <a href={`#/organizations/${organization}/webhooks`}>Webhooks</a> report it once when the balance falls below
        the threshold, and again only after a top-up.
      </p>
    </FormDialog>
  )
}
