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
        <p>For 24 hours both secrets sign what is sent, so a receiver with either of them goes on.</p>
      </SecretDialog>
    )
    onDone()
  }
  return (
    <FormDialog title="Make a new secret?" submit="Make a new secret" isLocked onSubmit={rotate}>
      <p>
        The present one signs beside it for 24 hours more, then no longer. Give the new one to your receiver until then.
      </p>
    </FormDialog>
  )
}
