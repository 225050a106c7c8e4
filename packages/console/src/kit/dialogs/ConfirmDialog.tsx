import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { TextField } from "../forms/Field.tsx"
import { FormDialog, stayOpen } from "./FormDialog.tsx"

export interface ConfirmDialogProps {
  /** A question: `Remove Ada Obi?` */
  readonly title: string
  /** The consequences. */
  readonly children: ComponentChildren
  /** The label of the confirming button, such as `Remove`. */
  readonly confirm: string
  /** The name to type if the action cannot be undone. */
  readonly typed?: string
  /** Executes the action; a returned text is announced. If it fails, the problem is shown and the dialog stays open. */
  readonly onConfirm: () => Promise<unknown>
}

/** Asks for confirmation before something is removed. */
export const ConfirmDialog = ({ children, confirm, onConfirm, title, typed }: ConfirmDialogProps) => {
  const given = useSignal("")
  const mismatch = useSignal("")
  const isTyped = typed === undefined || given.value.trim() === typed
  const submit = async () => {
    if (isTyped) return onConfirm()
    mismatch.value = `Type ${typed}`
    return stayOpen
  }
  return (
    <FormDialog title={title} submit={confirm} kind="danger" onSubmit={submit}>
      {children}
      {typed !== undefined && (
        <TextField
          label={`Type “${typed}” to confirm`}
          value={given}
          error={isTyped ? undefined : mismatch.value}
          hasFocus
        />
      )}
    </FormDialog>
  )
}
