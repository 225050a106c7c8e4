import { useSignal } from "@preact/signals"
import type { DataOf } from "../../client/Contract.ts"
import { hasPasskeys } from "../../client/passkeys.ts"
import { useLoad } from "../../hooks/useLoad.ts"
import { Time } from "../../kit/data/Time.tsx"
import { ConfirmDialog } from "../../kit/dialogs/ConfirmDialog.tsx"
import { announce } from "../../kit/feedback/announce.ts"
import { Notice } from "../../kit/feedback/Notice.tsx"
import { ProblemNotice } from "../../kit/feedback/ProblemNotice.tsx"
import { Button } from "../../kit/forms/Button.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { Table } from "../../kit/tables/Table.tsx"
import { call, enter } from "../../state/session.ts"
import { AddPasskeyDialog } from "./AddPasskeyDialog.tsx"

type Passkey = DataOf<"GET /v1/admin/account/passkeys">["passkeys"][number]

/** The passkeys of the user's own account. */
export const PasskeysSection = () => {
  const { data, isLoading, problem, reload } = useLoad("GET /v1/admin/account/passkeys", {})
  const isAdding = useSignal(false)
  const removed = useSignal<Passkey | undefined>(undefined)
  const passkey = removed.value
  return (
    <Section
      title="Passkeys"
      lead="Sign in by fingerprint, face or PIN of a device, without the password."
      actions={
        <Button icon="plus" isDisabled={!hasPasskeys()} onClick={() => (isAdding.value = true)}>
          Add a passkey
        </Button>
      }
    >
      {!hasPasskeys() && (
        <Notice title="There are none at this address">
          <p>Browsers keep passkeys for names such as localhost and over https, not for IP addresses.</p>
        </Notice>
      )}
      <ProblemNotice problem={problem} onRetry={reload} />
      <Table
        caption="Passkeys"
        rows={data?.passkeys}
        isLoading={isLoading}
        keyOf={({ id }) => id}
        empty={<p>You have no passkey.</p>}
        columns={[
          { head: "Name", cell: ({ name }) => name },
          { head: "Added", cell: ({ created_at }) => <Time at={created_at} /> },
          { head: "Last used", cell: ({ last_used_at: at }) => (at === undefined ? "Never" : <Time at={at} />) },
          {
            head: "Actions",
            cell: (row) => (
              <div class="actions">
                <Button kind="danger" label={`Remove ${row.name}`} onClick={() => (removed.value = row)}>
                  Remove
                </Button>
              </div>
            )
          }
        ]}
      />
      {isAdding.value && <AddPasskeyDialog onClose={() => (isAdding.value = false)} onDone={reload} />}
      {passkey && (
        <ConfirmDialog
          title={`Remove ${passkey.name}?`}
          confirm="Remove passkey"
          onClose={() => (removed.value = undefined)}
          onConfirm={async () => {
            enter((await call("DELETE /v1/admin/account/passkeys/:id", { params: { id: passkey.id } })).account)
            reload()
            announce("Removed")
          }}
        >
          <p>It signs nobody in any more, and you are signed out everywhere else: the device may have been lost.</p>
        </ConfirmDialog>
      )}
    </Section>
  )
}
