import type { DataOf } from "../../client/Contract.ts"
import type { Pages } from "../../hooks/usePages.ts"
import { Time } from "../../kit/data/Time.tsx"
import { ConfirmDialog } from "../../kit/dialogs/ConfirmDialog.tsx"
import { openDialog } from "../../kit/dialogs/openedDialog.ts"
import { Button } from "../../kit/forms/Button.tsx"
import { Table } from "../../kit/tables/Table.tsx"
import { call } from "../../state/session.ts"
import { roleNames } from "./roles.ts"

type InvitationPage = DataOf<"GET /v1/admin/operators/invitations">

/** Pending invitations. */
export const InvitationsTable = ({ pages }: { readonly pages: Pages<InvitationPage> }) => (
  <Table
    caption="Pending invitations"
    loaded={pages}
    rows={pages.data?.invitations}
    keyOf={({ id }) => id}
    empty={<p>No pending invitations.</p>}
    columns={[
      { head: "Email", cell: ({ email }) => email ?? "Not set" },
      { head: "Role", cell: ({ role }) => roleNames[role] },
      { head: "Invited", cell: ({ created_at }) => <Time at={created_at} /> },
      { head: "Expires", cell: ({ expires_at }) => <Time at={expires_at} /> },
      {
        head: "Actions",
        cell: (row) => (
          <div class="actions">
            <Button kind="danger" onClick={() => withdraw(row, pages.reload)}>
              Withdraw
            </Button>
          </div>
        )
      }
    ]}
  />
)

const withdraw = ({ email, id }: InvitationPage["invitations"][number], onDone: () => void) =>
  openDialog(
    <ConfirmDialog
      title="Withdraw the invitation?"
      confirm="Withdraw"
      onConfirm={async () => {
        await call("DELETE /v1/admin/invitations/:id", { params: { id } })
        onDone()
        return "Withdrawn"
      }}
    >
      <p>Its link opens no account for {email ?? "anybody"} any more. Another invitation can be made.</p>
    </ConfirmDialog>
  )
