import { creditLimits } from "@postcode/gateway/InputLimits"
import { useSignal } from "@preact/signals"
import { counted } from "../../kit/data/Amount.tsx"
import { FormDialog } from "../../kit/dialogs/FormDialog.tsx"
import { ChoiceField, TextField } from "../../kit/forms/Field.tsx"
import { call } from "../../state/session.ts"
import type { CreditAccountDialogProps } from "./CreditAccount.ts"
import { Recipient } from "./Recipient.tsx"

/** Corrects a balance, up or down, for operators. */
export const CorrectDialog = ({ environment, onDone, organization }: CreditAccountDialogProps) => {
  const amount = useSignal("")
  const kind = useSignal<"adjustment" | "refund">("refund")
  const reason = useSignal("")
  const reference = useSignal("")
  const correct = async () => {
    const { balance } = await call("POST /v1/admin/organizations/:id/credits/corrections", {
      params: { id: organization },
      body: {
        environment,
        amount: Number(amount.value),
        kind: kind.value,
        reason: reason.value,
        reference: reference.value
      }
    })
    onDone()
    return `The balance is ${counted(balance, `${environment} credit`)}`
  }
  return (
    <FormDialog title={`Correct ${environment} credits`} submit="Correct balance" isLocked onSubmit={correct}>
      <Recipient organization={organization} />
      <TextField
        label="Amount"
        hint="Credits to add. A negative number removes credits."
        type="number"
        min={-creditLimits.correction}
        max={creditLimits.correction}
        name="amount"
        value={amount}
        hasFocus
      />
      <ChoiceField
        label="Kind"
        value={kind}
        options={[
          ["refund", "Refund", "Credits are returned, or removed because their payment was returned."],
          ["adjustment", "Adjustment", "Anything else, such as a mistake in a grant."]
        ]}
      />
      <TextField
        label="Reason"
        hint="The organization sees it in its ledger."
        maxLength={creditLimits.reason}
        name="reason"
        value={reason}
      />
      <TextField
        label="Reference"
        hint="Such as the number of the credit note. Each reference can be used once."
        maxLength={creditLimits.reference}
        name="reference"
        value={reference}
      />
    </FormDialog>
  )
}
