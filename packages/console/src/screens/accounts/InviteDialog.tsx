import type { MemberRole } from "@postcode/core/ManagementAccess"
import { useSignal } from "@preact/signals"
import { messageOn } from "../../client/Problem.ts"
import { useAction } from "../../hooks/useAction.ts"
import { Copyable } from "../../kit/data/Copyable.tsx"
import { Dialog } from "../../kit/dialogs/Dialog.tsx"
import { Notice } from "../../kit/feedback/Notice.tsx"
import { Button } from "../../kit/forms/Button.tsx"
import { ChoiceField, TextField } from "../../kit/forms/Field.tsx"
import { Form } from "../../kit/forms/Form.tsx"
import { call } from "../../state/session.ts"
import { memberRoleOptions } from "./roles.ts"

export interface InviteDialogProps {
  /** The organization of the new member; undefined to invite an operator. */
  readonly organization?: string
  readonly onClose: () => void
  /** Called after the invitation was created. */
  readonly onDone: () => void
}

/** Creates an invitation and shows its link once. */
export const InviteDialog = ({ onClose, onDone, organization }: InviteDialogProps) => {
  const email = useSignal("")
  const role = useSignal<MemberRole>("developer")
  const link = useSignal("")
  const action = useAction(async () => {
    const { token } =
      organization === undefined
        ? await call("POST /v1/admin/operators/invitations", { body: { email: email.value } })
        : await call("POST /v1/admin/organizations/:id/invitations", {
            params: { id: organization },
            body: { role: role.value, email: email.value }
          })
    link.value = `${location.origin}/console/#join=${token}`
    onDone()
  })
  if (link.value !== "") return <InvitationLink link={link.value} email={email.value} onClose={onClose} />
  return (
    <Dialog
      title={organization === undefined ? "Invite an operator" : "Invite a member"}
      isRequired={action.isBusy}
      onClose={onClose}
    >
      <Form action={action} submit="Make invitation" onCancel={onClose}>
        {organization === undefined && (
          <p>Operators run the instance: they see every organization, review, and grant credits.</p>
        )}
        <TextField
          label="Email"
          hint="The address of the account. Nothing is sent to it."
          type="email"
          value={email}
          maximumLength={254}
          error={messageOn(action.problem, "email")}
          hasFocus
        />
        {organization !== undefined && <ChoiceField label="Role" options={memberRoleOptions} value={role} />}
      </Form>
    </Dialog>
  )
}

interface InvitationLinkProps {
  readonly link: string
  readonly email: string
  readonly onClose: () => void
}

const InvitationLink = ({ email, link, onClose }: InvitationLinkProps) => (
  <Dialog title="Give this link to the person" onClose={onClose}>
    <div class="stack">
      <Copyable value={link} label="the link" isBlock />
      <Notice tone="warning" title="It is shown this once">
        <p>
          It opens the account of {email}, once, within 7 days, to anyone who has the link: send it as you would send a
          password.
        </p>
      </Notice>
      <div class="actions">
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  </Dialog>
)
