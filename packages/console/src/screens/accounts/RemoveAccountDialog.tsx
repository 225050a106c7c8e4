import { ConfirmDialog } from "../../kit/dialogs/ConfirmDialog.tsx"
import { account, call, leave } from "../../state/session.ts"
import type { PersonDialogProps } from "./RoleDialog.tsx"

/** Removes an account permanently. */
export const RemoveAccountDialog = ({ onDone, person }: PersonDialogProps) => (
  <ConfirmDialog
    title={`Remove ${person.name}?`}
    confirm="Remove account"
    typed={person.email}
    onConfirm={async () => {
      await call("DELETE /v1/admin/accounts/:id", { params: { id: person.id } })
      if (person.id === account.value?.id) {
        leave()
        return undefined
      }
      onDone()
      return `${person.name} was removed`
    }}
  >
    <p>
      The account, its sessions and its passkeys are removed at once, and invitations that it made are withdrawn. Keys
      stay: they belong to the organization. To come back, {person.name} has to be invited again.
    </p>
  </ConfirmDialog>
)
