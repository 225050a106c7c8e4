import { ConfirmDialog } from "../../kit/dialogs/ConfirmDialog.tsx"
import { account, call, leave } from "../../state/session.ts"
import type { PersonDialogProps } from "./RoleDialog.tsx"

/** Removes a member from its organization, or an operator's account. */
export const RemoveAccountDialog = ({ onDone, person }: PersonDialogProps) => (
  <ConfirmDialog
    title={`Remove ${person.name}?`}
    confirm={person.organization_id === undefined ? "Remove account" : "Remove member"}
    typed={person.email}
    onConfirm={async () => {
      const { id, organization_id } = person
      await (organization_id === undefined
        ? call("DELETE /v1/admin/accounts/:id", { params: { id } })
        : call("DELETE /v1/admin/organizations/:id/members/:account", { params: { id: organization_id, account: id } }))
      if (person.id === account.value?.id) {
        leave()
        return undefined
      }
      onDone()
      return `${person.name} was removed`
    }}
  >
    <p>
      {person.organization_id === undefined
        ? "This removes the account everywhere, with its sessions and passkeys."
        : "This ends the membership. An account that belongs to no other organization is removed, with its sessions and passkeys."}{" "}
      Invitations that it sent are withdrawn, and the management keys that it created are revoked: servers that use them
      get status 401. API keys stay, because they belong to the organization. To restore access, invite {person.name}{" "}
      again.
    </p>
  </ConfirmDialog>
)
