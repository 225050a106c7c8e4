import { useSignal } from "@preact/signals"
import { messageOn } from "../../client/Problem.ts"
import { makePasskey } from "../../client/passkeys.ts"
import { useAction } from "../../hooks/useAction.ts"
import { Dialog } from "../../kit/dialogs/Dialog.tsx"
import { announce } from "../../kit/feedback/announce.ts"
import { TextField } from "../../kit/forms/Field.tsx"
import { Form } from "../../kit/forms/Form.tsx"
import { call } from "../../state/session.ts"

export interface AddPasskeyDialogProps {
  readonly onClose: () => void
  /** Called after a passkey was added. */
  readonly onDone: () => void
}

/** Creates a passkey. It requires the password, so that an open session alone cannot add permanent access. */
export const AddPasskeyDialog = ({ onClose, onDone }: AddPasskeyDialogProps) => {
  const name = useSignal("")
  const password = useSignal("")
  const action = useAction(async () => {
    const start = { present_password: password.value }
    const { options } = await call("POST /v1/admin/account/passkey-start", { body: start })
    const credential = await makePasskey(options)
    await call("POST /v1/admin/account/passkeys", { body: { name: name.value, credential } })
    onDone()
    onClose()
    announce("The passkey was added")
  })
  return (
    <Dialog title="Add a passkey" onClose={onClose}>
      <Form action={action} submit="Go on" onCancel={onClose}>
        <TextField
          label="Name"
          hint="To tell it from others, such as the name of the device."
          value={name}
          maximumLength={100}
          error={messageOn(action.problem, "name")}
          hasFocus
        />
        <TextField
          label="Your password"
          type="password"
          autocomplete="current-password"
          value={password}
          error={messageOn(action.problem, "present_password")}
        />
      </Form>
    </Dialog>
  )
}
