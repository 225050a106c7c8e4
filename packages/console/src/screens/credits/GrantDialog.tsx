import { useSignal } from "@preact/signals"
import { messageOn } from "../../client/Problem.ts"
import { useAction } from "../../hooks/useAction.ts"
import { formatAmount } from "../../kit/data/Amount.tsx"
import { Dialog } from "../../kit/dialogs/Dialog.tsx"
import { announce } from "../../kit/feedback/announce.ts"
import { TextField } from "../../kit/forms/Field.tsx"
import { Form } from "../../kit/forms/Form.tsx"
import { call } from "../../state/session.ts"
import type { CreditAccountDialogProps } from "./CreditAccount.ts"

/** Adds credits, for operators. */
export const GrantDialog = ({ environment, onClose, onDone, organization }: CreditAccountDialogProps) => {
  const amount = useSignal("")
  const reference = useSignal("")
  const action = useAction(async () => {
    const { balance } = await call("POST /v1/admin/organizations/:id/credits", {
      params: { id: organization },
      body: { environment, amount: Number(amount.value), reference: reference.value }
    })
    onDone()
    onClose()
    announce(`The balance is ${formatAmount(balance)} ${environment} credits`)
  })
  return (
    <Dialog title={`Grant ${environment} credits`} isRequired={action.isBusy} onClose={onClose}>
      <Form action={action} submit="Grant credits" onCancel={onClose}>
        <TextField
          label="Amount"
          type="number"
          min={1}
          max={1_000_000_000}
          value={amount}
          error={messageOn(action.problem, "amount")}
          hasFocus
        />
        <TextField
          label="Reference"
          hint="Such as the number of the invoice. Each one grants once: sent again with the same amount it adds nothing, with another amount it is refused."
          maximumLength={200}
          value={reference}
          error={messageOn(action.problem, "reference")}
        />
      </Form>
    </Dialog>
  )
}
