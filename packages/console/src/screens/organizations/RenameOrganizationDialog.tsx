import { useSignal } from "@preact/signals"
import { messageOn } from "../../client/Problem.ts"
import { useAction } from "../../hooks/useAction.ts"
import { Dialog } from "../../kit/dialogs/Dialog.tsx"
import { announce } from "../../kit/feedback/announce.ts"
import { TextField } from "../../kit/forms/Field.tsx"
import { Form } from "../../kit/forms/Form.tsx"
import { type Organization, reloadOrganization } from "../../state/organization.ts"
import { call } from "../../state/session.ts"

export interface RenameOrganizationDialogProps {
  readonly organization: Organization
  readonly onClose: () => void
}

/** Renames an organization. */
export const RenameOrganizationDialog = ({
  onClose,
  organization: { id, name: before }
}: RenameOrganizationDialogProps) => {
  const name = useSignal(before)
  const action = useAction(async () => {
    await call("PUT /v1/admin/organizations/:id/name", { params: { id }, body: { name: name.value } })
    await reloadOrganization()
    onClose()
    announce("Renamed")
  })
  return (
    <Dialog title="Rename the organization" onClose={onClose}>
      <Form action={action} submit="Rename" onCancel={onClose}>
        <TextField label="Name" value={name} maximumLength={200} error={messageOn(action.problem, "name")} hasFocus />
      </Form>
    </Dialog>
  )
}
