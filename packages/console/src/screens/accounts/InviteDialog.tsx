import { accountLimits } from "@postcode/gateway/InputLimits"
import type { MemberRole } from "@postcode/gateway/ManagementAccess"
import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { Copyable } from "../../kit/data/Copyable.tsx"
import { Dialog } from "../../kit/dialogs/Dialog.tsx"
import { FormDialog } from "../../kit/dialogs/FormDialog.tsx"
import { closeDialog, openDialog } from "../../kit/dialogs/openedDialog.ts"
import { Notice } from "../../kit/feedback/Notice.tsx"
import { Button } from "../../kit/forms/Button.tsx"
import { ChoiceField, TextField } from "../../kit/forms/Field.tsx"
import { instance } from "../../state/instance.ts"
import { call } from "../../state/session.ts"
import { memberRoleOptions } from "./roles.ts"

export interface InviteDialogProps {
  /** The organization of the new member; undefined to invite an operator. */
  readonly organization?: string
  /** Called after the invitation was created. */
  readonly onDone: () => void
}

/** Creates an invitation, and shows its link once if nobody mails it or an operator invites. */
export const InviteDialog = ({ onDone, organization }: InviteDialogProps) => {
  const email = useSignal("")
  const role = useSignal<MemberRole>("developer")
  const invite = async () => {
    const { token } =
      organization === undefined
        ? await call("POST /v1/admin/operators/invitations", { body: { email: email.value } })
        : await call("POST /v1/admin/organizations/:id/invitations", {
            params: { id: organization },
            body: { role: role.value, email: email.value }
          })
    openDialog(
      token === undefined ? (
        <InvitationMailed email={email.value} />
      ) : (
        <InvitationLink link={`${location.origin}/console/#join=${token}`} email={email.value} />
      )
    )
    onDone()
  }
  const title = organization === undefined ? "Invite an operator" : "Invite a member"
  return (
    <FormDialog title={title} submit="Create invitation" isLocked onSubmit={invite}>
      {organization === undefined && (
        <p>Operators run the instance: they see all organizations, review requests and grant credits.</p>
      )}
      <TextField
        label="Email"
        hint={`The account’s email address. ${instance.value?.sendsMail ? "The invitation is mailed to it." : "No email is sent."}`}
        type="email"
        name="email"
        value={email}
        maxLength={accountLimits.email}
        hasFocus
      />
      {organization !== undefined && <ChoiceField label="Role" options={memberRoleOptions} value={role} />}
    </FormDialog>
  )
}

/** For an owner: only the mailbox has the link, which opens an account for its address. */
const InvitationMailed = ({ email }: { readonly email: string }) => (
  <InvitationDialog title="The invitation is on its way">
    <p>
      {email} gets a mail with a link, which works once, within 7 days. If nothing arrives, look into the spam folder
      together. To send another mail, withdraw the invitation, and invite again.
    </p>
  </InvitationDialog>
)

const InvitationLink = ({ email, link }: { readonly link: string; readonly email: string }) => (
  <InvitationDialog title="Send this link to the person">
    {instance.value?.sendsMail && <p>The invitation is mailed to {email}. If it does not arrive, send this link.</p>}
    <Copyable value={link} label="the link" isBlock />
    <Notice tone="warning" title="The link is shown only once">
      <p>
        It opens the account of {email}, once, within 7 days, to anyone who has the link: send it as you would send a
        password.
      </p>
    </Notice>
  </InvitationDialog>
)

interface InvitationDialogProps {
  readonly title: string
  readonly children: ComponentChildren
}

/** Tells of a new invitation. */
const InvitationDialog = ({ children, title }: InvitationDialogProps) => (
  <Dialog title={title}>
    <div class="stack">
      {children}
      <div class="actions">
        <Button kind="primary" onClick={closeDialog}>
          Done
        </Button>
      </div>
    </div>
  </Dialog>
)
