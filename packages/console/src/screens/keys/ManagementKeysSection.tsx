import { accountLimits } from "@postcode/gateway/InputLimits"
import type { MemberRole } from "@postcode/gateway/ManagementAccess"
import { useSignal } from "@preact/signals"
import type { DataOf } from "../../client/Contract.ts"
import { usePages } from "../../hooks/usePages.ts"
import { badgeOf } from "../../kit/data/Badge.tsx"
import { Copyable } from "../../kit/data/Copyable.tsx"
import { Time } from "../../kit/data/Time.tsx"
import { ConfirmDialog } from "../../kit/dialogs/ConfirmDialog.tsx"
import { FormDialog } from "../../kit/dialogs/FormDialog.tsx"
import { OnceDialog } from "../../kit/dialogs/OnceDialog.tsx"
import { openDialog } from "../../kit/dialogs/openedDialog.ts"
import { Notice } from "../../kit/feedback/Notice.tsx"
import { Button } from "../../kit/forms/Button.tsx"
import { ChoiceField, SelectField, TextField } from "../../kit/forms/Field.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { Table } from "../../kit/tables/Table.tsx"
import { may } from "../../state/permissions.ts"
import { call } from "../../state/session.ts"
import { timeIn } from "./KeyDraft.ts"
import { AllowedIpsField } from "./KeyFields.tsx"
import { linesOf } from "./origins/webOrigins.ts"

const route = "GET /v1/admin/organizations/:id/management-keys"

type ManagementKey = DataOf<typeof route>["management_keys"][number]

/** The management keys of an organization: credentials of its own servers for this API. */
export const ManagementKeysSection = ({ organization }: { readonly organization: string }) => {
  const pages = usePages(route, { params: { id: organization }, query: { limit: 20 } })
  const dialog = <CreateDialog organization={organization} onDone={pages.reload} />
  return (
    <Section
      title="Management keys"
      lead="For your servers: they manage balances, usage and keys, over HTTP or from the command line. They cannot look up postcodes."
      actions={may("createManagementKey") && <Button onClick={() => openDialog(dialog)}>Create management key</Button>}
    >
      <Table
        caption="Management keys"
        loaded={pages}
        rows={pages.data?.management_keys}
        keyOf={({ id }) => id}
        empty={<p>No management key yet.</p>}
        columns={[
          {
            head: "Name",
            cell: ({ name, prefix }) => (
              <>
                {name}
                <span class="secondary">
                  <code>{prefix}…</code>
                </span>
              </>
            )
          },
          { head: "Role", cell: ({ role }) => roleNames[role] },
          {
            head: "Status",
            cell: ({ allowed_ips, status }) => (
              <>
                <StatusBadge status={status} />
                {allowed_ips.length > 0 && <span class="secondary">Only from {allowed_ips.join(", ")}</span>}
              </>
            )
          },
          { head: "Last used", cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} /> : "Never") },
          { head: "Expires", cell: ({ expires_at }) => (expires_at ? <Time at={expires_at} /> : "Never") },
          { head: "Created", cell: ({ created_at }) => <Time at={created_at} /> },
          {
            head: "Actions",
            cell: (key) =>
              may("revokeManagementKey") &&
              key.status === "active" && (
                <Button
                  kind="danger"
                  label={`Revoke ${key.name}`}
                  onClick={() => openDialog(<RevokeDialog managementKey={key} onDone={pages.reload} />)}
                >
                  Revoke
                </Button>
              )
          }
        ]}
      />
    </Section>
  )
}

const roleNames: Readonly<Record<MemberRole, string>> = { owner: "Owner", developer: "Developer", billing: "Billing" }

const StatusBadge = badgeOf<ManagementKey["status"]>({
  active: ["Active", "good"],
  expired: ["Expired", "warning"],
  revoked: ["Revoked", "bad"]
})

interface CreateDialogProps {
  readonly organization: string
  readonly onDone: () => void
}

const CreateDialog = ({ onDone, organization }: CreateDialogProps) => {
  const name = useSignal("")
  const role = useSignal<MemberRole>("billing")
  const lifetime = useSignal("365")
  const allowedIps = useSignal("")
  const create = async () => {
    const { secret } = await call("POST /v1/admin/organizations/:id/management-keys", {
      params: { id: organization },
      body: {
        name: name.value,
        role: role.value,
        allowed_ips: linesOf(allowedIps.value),
        ...(lifetime.value !== "never" && { expires_at: timeIn(Number(lifetime.value)) })
      }
    })
    onDone()
    openDialog(<SecretShown name={name.value} secret={secret} />)
  }
  return (
    <FormDialog title="Create a management key" submit="Create key" isLocked onSubmit={create}>
      <TextField
        label="Name"
        hint="What uses it, such as “invoicing”."
        name="name"
        value={name}
        maxLength={accountLimits.management_key_name}
        hasFocus
      />
      <ChoiceField
        label="Role"
        value={role}
        options={[
          ["billing", "Billing", "Reads credits and usage, and sets thresholds."],
          ["developer", "Developer", "Manages keys and webhooks, and reads usage."],
          ["owner", "Owner", "Everything in the organization, except its members and management keys."]
        ]}
      />
      <SelectField
        label="Expires"
        hint="A forgotten key stops working automatically. Create another one before that."
        name="expires_at"
        value={lifetime}
        options={[
          ["30", "In 30 days"],
          ["90", "In 90 days"],
          ["365", "In a year"],
          ["never", "Never"]
        ]}
      />
      <AllowedIpsField value={allowedIps} />
    </FormDialog>
  )
}

const SecretShown = ({ name, secret }: { readonly name: string; readonly secret: string }) => (
  <OnceDialog
    title={`The management key “${name}”`}
    loss="After you close this, the key cannot be shown again. If you lose it, revoke it and create another one."
  >
    {(onCopied) => (
      <>
        <Notice tone="warning" title="The key is shown only once">
          <p>The service stores only a hash. Store the key with your other secrets.</p>
        </Notice>
        <div onCopy={onCopied}>
          <Copyable value={secret} label="the key" isBlock onCopied={onCopied} />
        </div>
        <p class="muted">
          With the command line: <code>postcode login</code> asks for it and stores it as a profile.
        </p>
      </>
    )}
  </OnceDialog>
)

interface RevokeDialogProps {
  readonly managementKey: ManagementKey
  readonly onDone: () => void
}

const RevokeDialog = ({ managementKey: { id, name }, onDone }: RevokeDialogProps) => {
  const revoke = async () => {
    await call("DELETE /v1/admin/management-keys/:id", { params: { id } })
    onDone()
    return "Revoked"
  }
  return (
    <ConfirmDialog title={`Revoke ${name}?`} confirm="Revoke" onConfirm={revoke}>
      <p>Requests with this key get status 401 from now on. This cannot be undone.</p>
    </ConfirmDialog>
  )
}
