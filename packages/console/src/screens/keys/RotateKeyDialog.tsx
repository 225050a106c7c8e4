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
    <FormDialog title={`Rotate “${apiKey.name}”`} submit="Create the new key" isLocked onSubmit={rotate}>
      <p>
        This creates a new key with the same name, scopes, limits and origins. Both keys work for the time that you
        select, so that nothing is interrupted, and share their limits. You can rotate a key once; after that, rotate
        the new key.
      </p>
      <ChoiceField label="Keep the old key for" value={chosen} options={overlapOptions} />
    </FormDialog>
  )
}

const overlapOptions: ReadonlyArray<readonly [Overlap, string, string]> = [
  ["now", "No time", "It is revoked now. Programs that use it are refused. Choose this if the key leaked."],
  ["1h", "An hour", "If you can replace the key now."],
  ["24h", "A day", "If you deploy within a day."],
  ["7d", "A week", "If others must replace the key."]
]

const OldKey = ({ end, overlap }: { readonly end: string; readonly overlap: Overlap }) =>
  overlap === "now" ? (
    <Notice tone="info" title="The old key is revoked" />
  ) : (
    <Notice tone="info" title={`The old key works until ${localTime(end)}`}>
      <p>
        It expires <Time at={end} />. Replace it with the new key before then.
      </p>
    </Notice>
  )
