import type { MemberRole } from "@postcode/gateway/ManagementAccess"
import { useSignal } from "@preact/signals"
import { FormDialog } from "../../kit/dialogs/FormDialog.tsx"
import { ChoiceField } from "../../kit/forms/Field.tsx"
import { account, call } from "../../state/session.ts"
import { type Member, memberRoleOptions, roleNames } from "./roles.ts"

export interface PersonDialogProps {
  readonly person: Member
  /** Called after the change. */
  readonly onDone: () => void
}

/** Changes a member's role. */
export const RoleDialog = ({ onDone, person }: PersonDialogProps) => {
  const role = useSignal<MemberRole>(person.role === "operator" ? "developer" : person.role)
  const change = async () => {
    await call("PATCH /v1/admin/organizations/:id/members/:account", {
      params: { id: person.organization_id ?? "", account: person.id },
      body: { role: role.value }
    })
    if (person.id === account.value?.id) account.value = await call("GET /v1/admin/account", {})
    onDone()
    return `${person.name} is now ${roleNames[role.value].toLowerCase()}`
  }
  return (
    <FormDialog title={`Role of ${person.name}`} submit="Change role" onSubmit={change}>
      <ChoiceField label="Role" options={memberRoleOptions} value={role} />
      <p class="muted">
        {person.id === account.value?.id
          ? "Your permissions change at once, and invitations that you sent are withdrawn."
          : `The permissions of ${person.name} change at once, and invitations that they sent are withdrawn.`}{" "}
        Management keys that the account created and that may do more than the new role are revoked.
      </p>
    </FormDialog>
  )
}
