import { useSignal } from "@preact/signals"
import { useAction } from "../../hooks/useAction.ts"
import { Dialog } from "../../kit/dialogs/Dialog.tsx"
import { Form } from "../../kit/forms/Form.tsx"
import { call } from "../../state/session.ts"
import { SecretDialog } from "./SecretDialog.tsx"

export interface RotateSecretDialogProps {
  /** The webhook's id. */
  readonly id: string
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Rotates a webhook's secret. */
export const RotateSecretDialog = ({ id, onClose, onDone }: RotateSecretDialogProps) => {
  const secret = useSignal("")
  const action = useAction(async () => {
    secret.value = (await call("POST /v1/admin/webhooks/:id/rotate-secret", { params: { id } })).secret
    onDone()
  })
  if (secret.value !== "") {
    return (
      <SecretDialog secret={secret.value} onClose={onClose}>
        <p>For 24 hours both secrets sign what is sent, so a receiver with either of them goes on.</p>
      </SecretDialog>
    )
  }
  return (
    <Dialog title="Make a new secret?" isRequired={action.isBusy} onClose={onClose}>
      <Form action={action} submit="Make a new secret" onCancel={onClose}>
        <p>
          The present one signs beside it for 24 hours more, then no longer. Give the new one to your receiver until
          then.
        </p>
      </Form>
    </Dialog>
  )
}
