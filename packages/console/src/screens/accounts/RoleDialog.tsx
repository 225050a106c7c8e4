import type { MemberRole } from "@postcode/gateway/ManagementAccess"
import { useSignal } from "@preact/signals"
import { FormDialog } from "../../kit/dialogs/FormDialog.tsx"
import { ChoiceField } from "../../kit/forms/Field.tsx"
import { type Account, account, call } from "../../state/session.ts"
import { memberRoleOptions, roleNames } from "./roles.ts"

export interface PersonDialogProps {
  readonly person: Account
  /** Called after the change. */
  readonly onDone: () => void
}

/** Changes a member's role. */
export const RoleDialog = ({ onDone, person }: PersonDialogProps) => {
  const role = useSignal<MemberRole>(person.role === "operator" ? "developer" : person.role)
  const change = async () => {
    await call("PATCH /v1/admin/accounts/:id", { params: { id: person.id }, body: { role: role.value } })
    onDone()
    return `${person.name} is now ${roleNames[role.value].toLowerCase()}`
  }
  return (
    <FormDialog title={`Role of ${person.name}`} submit="Change role" onSubmit={change}>
      <ChoiceField label="Role" options={memberRoleOptions} value={role} />
      <p class="muted">
        {person.id === account.value?.id
          ? "You will be signed out. Sign in again to use the new role."
          : `${person.name} will be signed out, and invitations that they sent are withdrawn.`}{" "}
        Management keys that the account created and that may do more than the new role are revoked.
      </p>
    </FormDialog>
  )
}
