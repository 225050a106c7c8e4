import type { Pages } from "../../hooks/usePages.ts"
import { Badge } from "../../kit/data/Badge.tsx"
import { Time } from "../../kit/data/Time.tsx"
import { openDialog } from "../../kit/dialogs/openedDialog.ts"
import { Button } from "../../kit/forms/Button.tsx"
import { Table } from "../../kit/tables/Table.tsx"
import { may } from "../../state/permissions.ts"
import { account } from "../../state/session.ts"
import { RemoveAccountDialog } from "./RemoveAccountDialog.tsx"
import { type PersonDialogProps, RoleDialog } from "./RoleDialog.tsx"
import { type Member, roleNames } from "./roles.ts"

export interface AccountsTableProps {
  readonly caption: string
  readonly pages: Pages<{ readonly accounts: ReadonlyArray<Member> }>
}

/** A table of accounts with their actions. */
export const AccountsTable = ({ caption, pages }: AccountsTableProps) => (
  <Table
    caption={caption}
    loaded={pages}
    rows={pages.data?.accounts}
    keyOf={({ id }) => id}
    empty={<p>No accounts yet. Invite someone.</p>}
    columns={[
      {
        head: "Name",
        cell: ({ email, id, name }) => (
          <>
            {name} {id === account.value?.id && <Badge tone="plain">You</Badge>}
            <span class="secondary">{email}</span>
          </>
        )
      },
      { head: "Role", cell: ({ role }) => roleNames[role] },
      { head: "Joined", cell: ({ joined_at }) => <Time at={joined_at} /> },
      { head: "Actions", cell: (person) => <Actions person={person} onDone={pages.reload} /> }
    ]}
  />
)

const Actions = (props: PersonDialogProps) => {
  const { name, role } = props.person
  return (
    <div class="actions">
      {may("changeRole") && role !== "operator" && (
        <Button label={`Change the role of ${name}`} onClick={() => openDialog(<RoleDialog {...props} />)}>
          Role
        </Button>
      )}
      {may(role === "operator" ? "removeAccount" : "removeMember") && (
        <Button kind="danger" label={`Remove ${name}`} onClick={() => openDialog(<RemoveAccountDialog {...props} />)}>
          Remove
        </Button>
      )}
    </div>
  )
}
