import { creditLimits } from "@postcode/gateway/InputLimits"
import { useSignal } from "@preact/signals"
import { counted } from "../../kit/data/Amount.tsx"
import { FormDialog } from "../../kit/dialogs/FormDialog.tsx"
import { TextField } from "../../kit/forms/Field.tsx"
import { call } from "../../state/session.ts"
import type { CreditAccountDialogProps } from "./CreditAccount.ts"
import { Recipient } from "./Recipient.tsx"

/** Adds credits, for operators. */
export const GrantDialog = ({ environment, onDone, organization }: CreditAccountDialogProps) => {
  const amount = useSignal("")
  const reference = useSignal("")
  const grant = async () => {
    const { balance } = await call("POST /v1/admin/organizations/:id/credits", {
      params: { id: organization },
      body: { environment, amount: Number(amount.value), reference: reference.value }
    })
    onDone()
    return `The balance is ${counted(balance, `${environment} credit`)}`
  }
  return (
    <FormDialog title={`Grant ${environment} credits`} submit="Grant credits" isLocked onSubmit={grant}>
      <Recipient organization={organization} />
      <TextField label="Amount" type="number" min={1} max={creditLimits.grant} name="amount" value={amount} hasFocus />
      <TextField
        label="Reference"
        hint="Such as the invoice number. Each reference grants credits once: the same amount again adds nothing, another amount is refused."
        maxLength={creditLimits.reference}
        name="reference"
        value={reference}
      />
    </FormDialog>
  )
}
