import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useAction } from "../../hooks/useAction.ts"
import { TextField } from "../forms/Field.tsx"
import { Form } from "../forms/Form.tsx"
import { Dialog } from "./Dialog.tsx"

export interface ConfirmDialogProps {
  /** As a question: `Remove Ada Obi?` */
  readonly title: string
  /** What follows from it. */
  readonly children: ComponentChildren
  /** The words of the button that does it, such as `Remove`. */
  readonly confirm: string
  /** What has to be typed for what cannot be undone: the name of the thing. */
  readonly typed?: string
  /** Does it. A problem is shown, and the dialog stays. */
  readonly onConfirm: () => Promise<unknown>
  /** Takes the dialog away. */
  readonly onClose: () => unknown
}

/** Asks once more before something is taken away. */
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
