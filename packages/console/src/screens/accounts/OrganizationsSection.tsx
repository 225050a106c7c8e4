import { organizationLimits } from "@postcode/gateway/InputLimits"
import { useSignal } from "@preact/signals"
import type { DataOf } from "../../client/Contract.ts"
import { useLoad } from "../../hooks/useLoad.ts"
import { Time } from "../../kit/data/Time.tsx"
import { ConfirmDialog } from "../../kit/dialogs/ConfirmDialog.tsx"
import { FormDialog } from "../../kit/dialogs/FormDialog.tsx"
import { openDialog } from "../../kit/dialogs/openedDialog.ts"
import { Button } from "../../kit/forms/Button.tsx"
import { TextField } from "../../kit/forms/Field.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { Table } from "../../kit/tables/Table.tsx"
import { goTo } from "../../router/address.ts"
import { account, call, leave } from "../../state/session.ts"
import { roleNames } from "./roles.ts"

/** The organizations of the user's own account. */
export const OrganizationsSection = () => {
  const loaded = useLoad("GET /v1/admin/account/organizations", {})
  const { data, reload } = loaded
  return (
    <Section
      title="Organizations"
      lead="An owner of another organization can invite your address. Your role may differ in each."
      actions={
        <Button icon="plus" onClick={() => openDialog(<OpenOrganizationDialog />)}>
          Open another
        </Button>
      }
    >
      <Table
        caption="Your organizations"
        loaded={loaded}
        rows={data?.organizations}
        keyOf={({ organization_id }) => organization_id}
        empty={<p>You belong to no organization.</p>}
        columns={[
          {
            head: "Organization",
            cell: ({ organization_id, organization_name }) => (
              <a href={`#/organizations/${organization_id}`}>{organization_name}</a>
            )
          },
          { head: "Role", cell: ({ role }) => roleNames[role] },
          { head: "Joined", cell: ({ joined_at }) => <Time at={joined_at} /> },
          {
            head: "Actions",
            cell: (row) => (
              <div class="actions">
                <Button kind="danger" label={`Leave ${row.organization_name}`} onClick={() => leaveOne(row, reload)}>
                  Leave
                </Button>
              </div>
            )
          }
        ]}
      />
    </Section>
  )
}

/** Opens an organization, where the service takes sign-ups. */
const OpenOrganizationDialog = () => {
  const name = useSignal("")
  const open = async () => {
    const opened = await call("POST /v1/admin/account/organizations", { body: { name: name.value } })
    account.value = opened
    goTo(`/organizations/${opened.memberships.at(-1)?.organization_id}`)
    return `${name.value} is open`
  }
  return (
    <FormDialog title="Open another organization" submit="Open the organization" onSubmit={open}>
      <p>It has its own keys, credits and members, and is verified on its own.</p>
      <TextField label="Name" name="name" value={name} maxLength={organizationLimits.name} hasFocus />
    </FormDialog>
  )
}

type OwnOrganization = DataOf<"GET /v1/admin/account/organizations">["organizations"][number]

const leaveOne = ({ organization_id: id, organization_name }: OwnOrganization, onDone: () => void) => {
  const isOnly = account.value?.memberships.length === 1
  return openDialog(
    <ConfirmDialog
      title={`Leave ${organization_name}?`}
      confirm={isOnly ? "Leave and remove my account" : "Leave"}
      {...(isOnly && { typed: account.value?.email ?? "" })}
      onConfirm={async () => {
        await call("DELETE /v1/admin/account/organizations/:id", { params: { id } })
        if (isOnly) {
          leave()
          return undefined
        }
        account.value = await call("GET /v1/admin/account", {})
        onDone()
        return `You left ${organization_name}`
      }}
    >
      <p>
        Invitations that you sent for it are withdrawn, and the management keys that you created in it are revoked.
        {isOnly && " It is your only organization: your account is removed with its passkeys."}
      </p>
    </ConfirmDialog>
  )
}
