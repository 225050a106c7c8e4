import { useSignal } from "@preact/signals"
import { usePages } from "../../hooks/usePages.ts"
import { Button } from "../../kit/forms/Button.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { may } from "../../state/permissions.ts"
import { AccountsTable } from "./AccountsTable.tsx"
import { InvitationsTable } from "./InvitationsTable.tsx"
import { InviteDialog } from "./InviteDialog.tsx"

interface MembersScreenProps {
  readonly params: { readonly organization: string }
}

/** The members of an organization. */
export const MembersScreen = ({ params: { organization } }: MembersScreenProps) =>
  may("listInvitations") ? (
    <MembersAndInvitations organization={organization} />
  ) : (
    <>
      <PageHeader title="Members" lead={lead} />
      <Members organization={organization} />
    </>
  )

const lead = "Who works with this organization’s keys and credits."

const Members = ({ organization }: { readonly organization: string }) => {
  const pages = usePages("GET /v1/admin/organizations/:id/members", { params: { id: organization } })
  return (
    <Section title="Accounts">
      <AccountsTable caption="Members" pages={pages} />
    </Section>
  )
}

const MembersAndInvitations = ({ organization }: { readonly organization: string }) => {
  const isInviting = useSignal(false)
  const invitations = usePages("GET /v1/admin/organizations/:id/invitations", { params: { id: organization } })
  return (
    <>
      <PageHeader title="Members" lead={lead}>
        {may("inviteMember") && (
          <Button kind="primary" icon="plus" onClick={() => (isInviting.value = true)}>
            Invite a member
          </Button>
        )}
      </PageHeader>
      <Members organization={organization} />
      <Section title="Open invitations">
        <InvitationsTable pages={invitations} />
      </Section>
      {isInviting.value && (
        <InviteDialog
          organization={organization}
          onClose={() => (isInviting.value = false)}
          onDone={invitations.reload}
        />
      )}
    </>
  )
}
