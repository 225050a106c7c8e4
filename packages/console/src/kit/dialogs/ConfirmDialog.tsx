import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useAction } from "../../hooks/useAction.ts"
import { TextField } from "../forms/Field.tsx"
import { Form } from "../forms/Form.tsx"
import { Dialog } from "./Dialog.tsx"

export interface ConfirmDialogProps {
  /** A question: `Remove Ada Obi?` */
  readonly title: string
  /** The consequences. */
  readonly children: ComponentChildren
  /** The label of the confirming button, such as `Remove`. */
  readonly confirm: string
  /** The name to type if the action cannot be undone. */
  readonly typed?: string
  /** Executes the action. If it fails, the problem is shown and the dialog stays open. */
  readonly onConfirm: () => Promise<unknown>
  /** Closes the dialog. */
  readonly onClose: () => unknown
}

/** Asks for confirmation before something is removed. */
export const ConfirmDialog = ({ children, confirm, onClose, onConfirm, title, typed }: ConfirmDialogProps) => {
  const given = useSignal("")
  const mismatch = useSignal("")
  const action = useAction(async () => {
    if (typed !== undefined && given.value.trim() !== typed) {
      mismatch.value = `Type ${typed}`
      return
    }
    await onConfirm()
    onClose()
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <Form action={action} submit={confirm} kind="danger" onCancel={onClose}>
        {children}
        {typed !== undefined && (
          <TextField
            label={`Type “${typed}” to confirm`}
            value={given}
            error={given.value.trim() === typed ? undefined : mismatch.value}
            hasFocus
          />
        )}
      </Form>
    </Dialog>
  )
}
