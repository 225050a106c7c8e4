import { useSignal } from "@preact/signals"
import type { DataOf } from "../../client/Contract.ts"
import type { Pages } from "../../hooks/usePages.ts"
import { Time } from "../../kit/data/Time.tsx"
import { ConfirmDialog } from "../../kit/dialogs/ConfirmDialog.tsx"
import { announce } from "../../kit/feedback/announce.ts"
import { ProblemNotice } from "../../kit/feedback/ProblemNotice.tsx"
import { Button } from "../../kit/forms/Button.tsx"
import { Pager } from "../../kit/tables/Pager.tsx"
import { Table } from "../../kit/tables/Table.tsx"
import { call } from "../../state/session.ts"
import { roleNames } from "./roles.ts"

type InvitationPage = DataOf<"GET /v1/admin/operators/invitations">
type Invitation = InvitationPage["invitations"][number]

/** Pending invitations. */
export const InvitationsTable = ({ pages }: { readonly pages: Pages<InvitationPage> }) => {
  const withdrawn = useSignal<Invitation | undefined>(undefined)
  const invitation = withdrawn.value
  return (
    <>
      <ProblemNotice problem={pages.problem} onRetry={pages.reload} />
      <Table
        caption="Open invitations"
        rows={pages.data?.invitations}
        isLoading={pages.isLoading}
        keyOf={({ id }) => id}
        empty={<p>No invitation is open.</p>}
        columns={[
          { head: "Email", cell: ({ email }) => email ?? "none yet" },
          { head: "Role", cell: ({ role }) => roleNames[role] },
          { head: "Invited", cell: ({ created_at }) => <Time at={created_at} /> },
          { head: "Expires", cell: ({ expires_at }) => <Time at={expires_at} /> },
          {
            head: "Actions",
            cell: (row) => (
              <div class="actions">
                <Button kind="danger" onClick={() => (withdrawn.value = row)}>
                  Withdraw
                </Button>
              </div>
            )
          }
        ]}
      />
      <Pager {...pages} />
      {invitation && (
        <ConfirmDialog
          title="Withdraw the invitation?"
          confirm="Withdraw"
          onClose={() => (withdrawn.value = undefined)}
          onConfirm={async () => {
            await call("DELETE /v1/admin/invitations/:id", { params: { id: invitation.id } })
            pages.reload()
            announce("Withdrawn")
          }}
        >
          <p>Its link opens no account for {invitation.email ?? "anybody"} any more. Another invitation can be made.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
