import { useSignal } from "@preact/signals"
import { localTime, Time } from "../../kit/data/Time.tsx"
import { FormDialog } from "../../kit/dialogs/FormDialog.tsx"
import { closeDialog, openDialog } from "../../kit/dialogs/openedDialog.ts"
import { Notice } from "../../kit/feedback/Notice.tsx"
import { ChoiceField } from "../../kit/forms/Field.tsx"
import { goTo } from "../../router/address.ts"
import { call } from "../../state/session.ts"
import { type ApiKey, keysPath, type Overlap } from "./keyLabels.tsx"
import { SecretDialog } from "./SecretDialog.tsx"

export interface KeyDialogProps {
  readonly apiKey: ApiKey
  /** Called after the key was changed. */
  readonly onDone: () => void
}

/** Creates a successor of a key, and sets how long the key stays valid. */
export const RotateKeyDialog = ({ apiKey, onDone }: KeyDialogProps) => {
  const chosen = useSignal<Overlap>("24h")
  const rotate = async () => {
    const overlap = chosen.value
    const made = await call("POST /v1/admin/keys/:id/rotate", { params: { id: apiKey.id }, body: { overlap } })
    const close = () => {
      closeDialog()
      onDone()
      goTo(`${keysPath(made.organization_id)}/${made.id}`)
    }
    openDialog(
      <SecretDialog apiKey={made} onClose={close}>
        <OldKey end={made.replaced_expires_at} overlap={overlap} />
      </SecretDialog>
    )
  }
  return (
    <FormDialog title={`Rotate “${apiKey.name}”`} submit="Make the new key" isLocked onSubmit={rotate}>
      <p>
        A new key with the same name, scopes, limits and origins takes its place. Meanwhile both work, so that nothing
        stops. A key is rotated once; then rotate the new one.
      </p>
      <ChoiceField label="The old key goes on for" value={chosen} options={overlapOptions} />
    </FormDialog>
  )
}

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
    <Notice tone="info" title={`The old key works until ${localTime(end)}`}>
      <p>
        It ends <Time at={end} />. Put the new one in its place before.
      </p>
    </Notice>
  )
