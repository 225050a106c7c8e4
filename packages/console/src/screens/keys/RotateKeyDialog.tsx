import { useSignal } from "@preact/signals"
import type { DataOf } from "../../client/Contract.ts"
import { useAction } from "../../hooks/useAction.ts"
import { exactly, Time } from "../../kit/data/Time.tsx"
import { Dialog } from "../../kit/dialogs/Dialog.tsx"
import { Notice } from "../../kit/feedback/Notice.tsx"
import { ChoiceField } from "../../kit/forms/Field.tsx"
import { Form } from "../../kit/forms/Form.tsx"
import { goTo } from "../../router/address.ts"
import { call } from "../../state/session.ts"
import { type ApiKey, keysPath, type Overlap } from "./keyLabels.tsx"
import { SecretDialog } from "./SecretDialog.tsx"

export interface KeyDialogProps {
  readonly apiKey: ApiKey
  readonly onClose: () => void
  /** Called after the rotation. */
  readonly onDone: () => void
}

/** Creates a successor of a key, and sets how long the key stays valid. */
export const RotateKeyDialog = ({ apiKey, onClose, onDone }: KeyDialogProps) => {
  const overlap = useSignal<Overlap>("24h")
  const made = useSignal<RotatedKey | undefined>(undefined)
  const action = useAction(async () => {
    made.value = await call("POST /v1/admin/keys/:id/rotate", {
      params: { id: apiKey.id },
      body: { overlap: overlap.value }
    })
  })
  if (made.value) {
    const { id, organization_id } = made.value
    return (
      <SecretDialog
        apiKey={made.value}
        onClose={() => {
          onClose()
          onDone()
          goTo(`${keysPath(organization_id)}/${id}`)
        }}
      >
        <OldKey end={made.value.replaced_expires_at} overlap={overlap.value} />
      </SecretDialog>
    )
  }
  return (
    <Dialog title={`Rotate “${apiKey.name}”`} isRequired={action.isBusy} onClose={onClose}>
      <Form action={action} submit="Make the new key" onCancel={onClose}>
        <p>
          A new key with the same name, scopes, limits and origins takes its place. Meanwhile both work, so that nothing
          stops. A key is rotated once; then rotate the new one.
        </p>
        <ChoiceField label="The old key goes on for" value={overlap} options={overlapOptions} />
      </Form>
    </Dialog>
  )
}

type RotatedKey = DataOf<"POST /v1/admin/keys/:id/rotate">

const overlapOptions: ReadonlyArray<readonly [Overlap, string, string]> = [
  ["now", "No time", "It is revoked at once: for a key that leaked. What still uses it is refused."],
  ["1h", "An hour", "For a key that you can replace right now."],
  ["24h", "A day", "For what is deployed within a day."],
  ["7d", "A week", "For what others have to replace."]
]

const OldKey = ({ end, overlap }: { readonly end: string; readonly overlap: Overlap }) =>
  overlap === "now" ? (
    <Notice tone="info" title="The old key is revoked" />
  ) : (
    <Notice tone="info" title={`The old key works until ${exactly(end)}`}>
      <p>
        It ends <Time at={end} />. Put the new one in its place before.
      </p>
    </Notice>
  )
