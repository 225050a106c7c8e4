import { usePages } from "../../hooks/usePages.ts"
import { openDialog } from "../../kit/dialogs/openedDialog.ts"
import { Button } from "../../kit/forms/Button.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import type { OrganizationParams } from "../../router/Screen.ts"
import { may } from "../../state/permissions.ts"
import { AccountsTable } from "./AccountsTable.tsx"
import { InvitationsTable } from "./InvitationsTable.tsx"
import { InviteDialog } from "./InviteDialog.tsx"

/** The members of an organization. */
export const MembersScreen = ({ params: { organization } }: OrganizationParams) =>
  may("listInvitations") ? (
    <MembersAndInvitations organization={organization} />
  ) : (
    <>
      <PageHeader title="Members" lead={lead} />
      <Members organization={organization} />
    </>
  )

const lead = "The accounts that can use this organization."

const Members = ({ organization }: { readonly organization: string }) => {
  const pages = usePages("GET /v1/admin/organizations/:id/members", { params: { id: organization } })
  return (
    <Section title="Accounts">
      <AccountsTable caption="Members" pages={pages} />
    </Section>
  )
}

const MembersAndInvitations = ({ organization }: { readonly organization: string }) => {
  const invitations = usePages("GET /v1/admin/organizations/:id/invitations", { params: { id: organization } })
  const invite = () => openDialog(<InviteDialog organization={organization} onDone={invitations.reload} />)
  return (
    <>
      <PageHeader title="Members" lead={lead}>
        {may("inviteMember") && (
          <Button kind="primary" icon="plus" onClick={invite}>
            Invite a member
          </Button>
        )}
      </PageHeader>
      <Members organization={organization} />
      <Section title="Pending invitations">
        <InvitationsTable pages={invitations} />
      </Section>
    </>
  )
}
