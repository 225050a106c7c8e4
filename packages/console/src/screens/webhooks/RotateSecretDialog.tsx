import { FormDialog } from "../../kit/dialogs/FormDialog.tsx"
import { openDialog } from "../../kit/dialogs/openedDialog.ts"
import { call } from "../../state/session.ts"
import { SecretDialog } from "./SecretDialog.tsx"

export interface RotateSecretDialogProps {
  /** The webhook's id. */
  readonly id: string
  readonly onDone: () => void
}

/** Rotates a webhook's secret. */
export const RotateSecretDialog = ({ id, onDone }: RotateSecretDialogProps) => {
  const rotate = async () => {
    const { secret } = await call("POST /v1/admin/webhooks/:id/rotate-secret", { params: { id } })
    openDialog(
      <SecretDialog secret={secret}>
        <p>For 24 hours, both secrets sign each event. An endpoint can verify with either one.</p>
      </SecretDialog>
    )
    onDone()
  }
  return (
    <FormDialog title="Rotate the secret?" submit="Create a new secret" isLocked onSubmit={rotate}>
      <p>The current secret also signs for another 24 hours. Update your endpoint before then.</p>
    </FormDialog>
  )
}
