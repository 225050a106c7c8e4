import type { DataOf } from "../../client/Contract.ts"
import { hasPasskeys } from "../../client/passkeys.ts"
import { useLoad } from "../../hooks/useLoad.ts"
import { Time } from "../../kit/data/Time.tsx"
import { ConfirmDialog } from "../../kit/dialogs/ConfirmDialog.tsx"
import { openDialog } from "../../kit/dialogs/openedDialog.ts"
import { Notice } from "../../kit/feedback/Notice.tsx"
import { Button } from "../../kit/forms/Button.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { Table } from "../../kit/tables/Table.tsx"
import { call, enter } from "../../state/session.ts"
import { AddPasskeyDialog } from "./AddPasskeyDialog.tsx"

/** The passkeys of the user's own account. */
export const PasskeysSection = () => {
  const loaded = useLoad("GET /v1/admin/account/passkeys", {})
  const { data, reload } = loaded
  const add = () => openDialog(<AddPasskeyDialog onDone={reload} />)
  return (
    <Section
      title="Passkeys"
      lead="Sign in with a device’s fingerprint, face or PIN instead of the password."
      actions={
        <Button icon="plus" isDisabled={!hasPasskeys()} onClick={add}>
          Add a passkey
        </Button>
      }
    >
      {!hasPasskeys() && (
        <Notice title="Passkeys do not work at this address">
          <p>Browsers support passkeys over https and on localhost, not for IP addresses.</p>
        </Notice>
      )}
      <Table
        caption="Passkeys"
        loaded={loaded}
        rows={data?.passkeys}
        keyOf={({ id }) => id}
        empty={<p>No passkeys yet.</p>}
        columns={[
          { head: "Name", cell: ({ name }) => name },
          { head: "Added", cell: ({ created_at }) => <Time at={created_at} /> },
          { head: "Last used", cell: ({ last_used_at: at }) => (at === undefined ? "Never" : <Time at={at} />) },
          {
            head: "Actions",
            cell: (row) => (
              <div class="actions">
                <Button kind="danger" label={`Remove ${row.name}`} onClick={() => remove(row, reload)}>
                  Remove
                </Button>
              </div>
            )
          }
        ]}
      />
    </Section>
  )
}

type Passkey = DataOf<"GET /v1/admin/account/passkeys">["passkeys"][number]

const remove = ({ id, name }: Passkey, onDone: () => void) =>
  openDialog(
    <ConfirmDialog
      title={`Remove ${name}?`}
      confirm="Remove passkey"
      onConfirm={async () => {
        enter((await call("DELETE /v1/admin/account/passkeys/:id", { params: { id } })).account)
        onDone()
        return "Removed"
      }}
    >
      <p>The passkey stops working. You are signed out everywhere else, in case the device was lost.</p>
    </ConfirmDialog>
  )
