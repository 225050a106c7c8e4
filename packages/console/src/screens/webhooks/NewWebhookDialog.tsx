import { webhookLimits } from "@postcode/gateway/InputLimits"
import { useSignal } from "@preact/signals"
import { FormDialog } from "../../kit/dialogs/FormDialog.tsx"
import { openDialog } from "../../kit/dialogs/openedDialog.ts"
import { TextField } from "../../kit/forms/Field.tsx"
import { call } from "../../state/session.ts"
import { SecretDialog } from "./SecretDialog.tsx"

export interface NewWebhookDialogProps {
  readonly organization: string
  /** Called after the webhook was created. */
  readonly onDone: () => void
}

/** Creates a webhook and shows its secret once. */
export const NewWebhookDialog = ({ onDone, organization }: NewWebhookDialogProps) => {
  const url = useSignal("")
  const description = useSignal("")
  const add = async () => {
    const { secret } = await call("POST /v1/admin/organizations/:id/webhooks", {
      params: { id: organization },
      body: { url: url.value, ...(description.value.trim() !== "" && { description: description.value }) }
    })
    openDialog(<SecretDialog secret={secret} />)
    onDone()
  }
  return (
    <FormDialog title="Add a webhook" submit="Add" isLocked onSubmit={add}>
      <TextField
        label="Address"
        hint="It must begin with https:// and return 2xx within 15 seconds."
        type="url"
        name="url"
        value={url}
        maxLength={webhookLimits.url}
        hasFocus
      />
      <p class="hint">
        A program on your computer needs no public address:{" "}
        <code>postcode webhooks listen --forward localhost:4000/hook</code>
      </p>
      <TextField
        label="Description"
        name="description"
        value={description}
        maxLength={webhookLimits.description}
        isOptional
      />
    </FormDialog>
  )
}
