import type { MemberRole } from "@postcode/core/ManagementAccess"
import { useSignal } from "@preact/signals"
import { useAction } from "../../hooks/useAction.ts"
import { Dialog } from "../../kit/dialogs/Dialog.tsx"
import { announce } from "../../kit/feedback/announce.ts"
import { ChoiceField } from "../../kit/forms/Field.tsx"
import { Form } from "../../kit/forms/Form.tsx"
import { type Account, account, call } from "../../state/session.ts"
import { memberRoleOptions, roleNames } from "./roles.ts"

export interface PersonDialogProps {
  readonly person: Account
  readonly onClose: () => void
  /** Called after the change. */
  readonly onDone: () => void
}

/** Changes a member's role. */
export const RoleDialog = ({ onClose, onDone, person }: PersonDialogProps) => {
  const role = useSignal<MemberRole>(person.role === "operator" ? "developer" : person.role)
  const action = useAction(async () => {
    await call("PATCH /v1/admin/accounts/:id", { params: { id: person.id }, body: { role: role.value } })
    onDone()
    onClose()
    announce(`${person.name} is ${roleNames[role.value].toLowerCase()} now`)
  })
  return (
    <Dialog title={`Role of ${person.name}`} onClose={onClose}>
      <Form action={action} submit="Change role" onCancel={onClose}>
        <ChoiceField label="Role" options={memberRoleOptions} value={role} />
        <p class="muted">
          {person.id === account.value?.id
            ? "You will be signed out, and sign in again with the other role."
            : `${person.name} will be signed out, and invitations that they made are withdrawn.`}
        </p>
      </Form>
    </Dialog>
  )
}
