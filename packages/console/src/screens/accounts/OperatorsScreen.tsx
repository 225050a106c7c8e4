import { usePages } from "../../hooks/usePages.ts"
import { openDialog } from "../../kit/dialogs/openedDialog.ts"
import { Button } from "../../kit/forms/Button.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { AccountsTable } from "./AccountsTable.tsx"
import { InvitationsTable } from "./InvitationsTable.tsx"
import { InviteDialog } from "./InviteDialog.tsx"

/** The operators of the instance. */
export const OperatorsScreen = () => {
  const operators = usePages("GET /v1/admin/operators", {})
  const invitations = usePages("GET /v1/admin/operators/invitations", {})
  const invite = () => openDialog(<InviteDialog onDone={invitations.reload} />)
  return (
    <>
      <PageHeader
        title="Operators"
        lead="The accounts that run this instance. They see all organizations, review requests and grant credits."
      >
        <Button kind="primary" icon="plus" onClick={invite}>
          Invite an operator
        </Button>
      </PageHeader>
      <Section title="Accounts">
        <AccountsTable caption="Operators" pages={operators} />
      </Section>
      <Section title="Pending invitations">
        <InvitationsTable pages={invitations} />
      </Section>
    </>
  )
}
