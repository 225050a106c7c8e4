import { useSignal } from "@preact/signals"
import { Button } from "../kit/Button.tsx"
import { PageHeader } from "../kit/PageHeader.tsx"
import { Section } from "../kit/Section.tsx"
import { usePages } from "../kit/usePages.ts"
import { AccountsTable } from "./people/AccountsTable.tsx"
import { InvitationsTable } from "./people/InvitationsTable.tsx"
import { InviteDialog } from "./people/InviteDialog.tsx"

/** Who runs the instance. */
export const OperatorsScreen = () => {
  const isInviting = useSignal(false)
  const operators = usePages("GET /v1/admin/operators", {})
  const invitations = usePages("GET /v1/admin/operators/invitations", {})
  return (
    <>
      <PageHeader
        title="Operators"
        lead="Who runs this instance: they see every organization, review, and grant credits."
      >
        <Button kind="primary" icon="plus" onClick={() => (isInviting.value = true)}>
          Invite an operator
        </Button>
      </PageHeader>
      <Section title="Accounts">
        <AccountsTable caption="Operators" pages={operators} />
      </Section>
      <Section title="Open invitations">
        <InvitationsTable pages={invitations} />
      </Section>
      {isInviting.value && <InviteDialog onClose={() => (isInviting.value = false)} onDone={invitations.reload} />}
    </>
  )
}
