import { ConfirmDialog } from "../../kit/dialogs/ConfirmDialog.tsx"
import { announce } from "../../kit/feedback/announce.ts"
import { account, call, leave } from "../../state/session.ts"
import type { PersonDialogProps } from "./RoleDialog.tsx"

/** Removes an account permanently. */
export const RemoveAccountDialog = ({ onClose, onDone, person }: PersonDialogProps) => (
  <ConfirmDialog
    title={`Remove ${person.name}?`}
    confirm="Remove account"
    typed={person.email}
    onClose={onClose}
    onConfirm={async () => {
      await call("DELETE /v1/admin/accounts/:id", { params: { id: person.id } })
      if (person.id === account.value?.id) return leave()
      onDone()
      announce(`${person.name} was removed`)
    }}
  >
    <p>
      The account, its sessions and its passkeys are removed at once, and invitations that it made are withdrawn. Keys
      stay: they belong to the organization. To come back, {person.name} has to be invited again.
    </p>
  </ConfirmDialog>
)
