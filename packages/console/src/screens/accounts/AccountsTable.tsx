import { useSignal } from "@preact/signals"
import type { Pages } from "../../hooks/usePages.ts"
import { Badge } from "../../kit/data/Badge.tsx"
import { Time } from "../../kit/data/Time.tsx"
import { ProblemNotice } from "../../kit/feedback/ProblemNotice.tsx"
import { Button } from "../../kit/forms/Button.tsx"
import { Pager } from "../../kit/tables/Pager.tsx"
import { Table } from "../../kit/tables/Table.tsx"
import { may } from "../../state/permissions.ts"
import { type Account, account } from "../../state/session.ts"
import { RemoveAccountDialog } from "./RemoveAccountDialog.tsx"
import { RoleDialog } from "./RoleDialog.tsx"
import { roleNames } from "./roles.ts"

export interface AccountsTableProps {
  readonly caption: string
  readonly pages: Pages<{ readonly accounts: ReadonlyArray<Account> }>
}

/** A table of accounts with their actions. */
export const AccountsTable = ({ caption, pages }: AccountsTableProps) => {
  const asked = useSignal<Asked | undefined>(undefined)
  const close = () => {
    asked.value = undefined
  }
  const { kind, person } = asked.value ?? {}
  return (
    <>
      <ProblemNotice problem={pages.problem} onRetry={pages.reload} />
      <Table
        caption={caption}
        rows={pages.data?.accounts}
        isLoading={pages.isLoading}
        keyOf={({ id }) => id}
        empty={<p>Nobody yet. Invite somebody.</p>}
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
          { head: "Joined", cell: ({ created_at }) => <Time at={created_at} /> },
          { head: "Actions", cell: (person) => <Actions person={person} onAsk={(next) => (asked.value = next)} /> }
        ]}
      />
      <Pager {...pages} />
      {kind === "role" && person && <RoleDialog person={person} onClose={close} onDone={pages.reload} />}
      {kind === "remove" && person && <RemoveAccountDialog person={person} onClose={close} onDone={pages.reload} />}
    </>
  )
}

interface Asked {
  readonly kind: "remove" | "role"
  readonly person: Account
}

const Actions = ({ onAsk, person }: { readonly person: Account; readonly onAsk: (asked: Asked) => void }) => (
  <div class="actions">
    {may("changeRole") && person.role !== "operator" && (
      <Button label={`Change the role of ${person.name}`} onClick={() => onAsk({ kind: "role", person })}>
        Role
      </Button>
    )}
    {may("removeAccount") && (
      <Button kind="danger" label={`Remove ${person.name}`} onClick={() => onAsk({ kind: "remove", person })}>
        Remove
      </Button>
    )}
  </div>
)
