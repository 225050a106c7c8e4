import { useSignal } from "@preact/signals"
import { messageOn } from "../../client/Problem.ts"
import { useAction } from "../../hooks/useAction.ts"
import { Dialog } from "../../kit/dialogs/Dialog.tsx"
import { TextField } from "../../kit/forms/Field.tsx"
import { Form } from "../../kit/forms/Form.tsx"
import { goTo } from "../../router/address.ts"
import { call } from "../../state/session.ts"

/** Creates an organization and opens it. */
export const NewOrganizationDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const name = useSignal("")
  const action = useAction(async () => {
    const { id } = await call("POST /v1/admin/organizations", { body: { name: name.value } })
    onClose()
    goTo(`/organizations/${id}`)
  })
  return (
    <Dialog title="New organization" isRequired={action.isBusy} onClose={onClose}>
      <Form action={action} submit="Create organization" onCancel={onClose}>
        <TextField
          label="Name"
          hint="As its people know it. It can be changed."
          value={name}
          maximumLength={200}
          error={messageOn(action.problem, "name")}
          hasFocus
        />
      </Form>
    </Dialog>
  )
}
