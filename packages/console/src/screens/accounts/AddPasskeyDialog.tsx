import { accountLimits } from "@postcode/gateway/InputLimits"
import { useSignal } from "@preact/signals"
import { makePasskey } from "../../client/passkeys.ts"
import { FormDialog } from "../../kit/dialogs/FormDialog.tsx"
import { TextField } from "../../kit/forms/Field.tsx"
import { call } from "../../state/session.ts"

export interface AddPasskeyDialogProps {
  /** Called after a passkey was added. */
  readonly onDone: () => void
}

/** Creates a passkey. It requires the password, so that an open session alone cannot add permanent access. */
export const AddPasskeyDialog = ({ onDone }: AddPasskeyDialogProps) => {
  const name = useSignal("")
  const password = useSignal("")
  const add = async () => {
    const start = { present_password: password.value }
    const { options } = await call("POST /v1/admin/account/passkey-start", { body: start })
    const credential = await makePasskey(options)
    await call("POST /v1/admin/account/passkeys", { body: { name: name.value, credential } })
    onDone()
    return "The passkey was added"
  }
  return (
    <FormDialog title="Add a passkey" submit="Continue" onSubmit={add}>
      <TextField
        label="Name"
        hint="To recognize it later, such as the name of the device."
        name="name"
        value={name}
        maxLength={accountLimits.passkey_name}
        hasFocus
      />
      <TextField
        label="Your password"
        type="password"
        autocomplete="current-password"
        name="present_password"
        value={password}
      />
    </FormDialog>
  )
}
