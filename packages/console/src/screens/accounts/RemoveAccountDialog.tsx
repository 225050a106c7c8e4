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
      This removes the account with its sessions and passkeys, withdraws the invitations that it sent, and revokes the
      management keys that it created: servers that use them get status 401. API keys stay, because they belong to the
      organization. To restore access, invite {person.name} again.
    </p>
  </ConfirmDialog>
)
