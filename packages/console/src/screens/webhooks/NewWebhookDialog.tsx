import { useSignal } from "@preact/signals"
import { messageOn } from "../../client/Problem.ts"
import { useAction } from "../../hooks/useAction.ts"
import { Dialog } from "../../kit/dialogs/Dialog.tsx"
import { TextField } from "../../kit/forms/Field.tsx"
import { Form } from "../../kit/forms/Form.tsx"
import { call } from "../../state/session.ts"
import { SecretDialog } from "./SecretDialog.tsx"

export interface NewWebhookDialogProps {
  readonly organization: string
  readonly onClose: () => void
  /** Called after the webhook was created. */
  readonly onDone: () => void
}

/** Creates a webhook and shows its secret once. */
export const NewWebhookDialog = ({ onClose, onDone, organization }: NewWebhookDialogProps) => {
  const url = useSignal("")
  const description = useSignal("")
  const secret = useSignal("")
  const action = useAction(async () => {
    const made = await call("POST /v1/admin/organizations/:id/webhooks", {
      params: { id: organization },
      body: { url: url.value, ...(description.value.trim() !== "" && { description: description.value }) }
    })
    secret.value = made.secret
    onDone()
  })
  if (secret.value !== "") return <SecretDialog secret={secret.value} onClose={onClose} />
  return (
    <Dialog title="Add a webhook" isRequired={action.isBusy} onClose={onClose}>
      <Form action={action} submit="Add" onCancel={onClose}>
        <TextField
          label="Address"
          hint="It begins with https:// and answers 2xx within 15 seconds."
          type="url"
          value={url}
          maximumLength={2_000}
          error={messageOn(action.problem, "url")}
          hasFocus
        />
        <TextField
          label="Description"
          value={description}
          maximumLength={200}
          error={messageOn(action.problem, "description")}
          isOptional
        />
      </Form>
    </Dialog>
  )
}
