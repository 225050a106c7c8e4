import { useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { Form, type FormProps } from "../forms/Form.tsx"
import { Dialog } from "./Dialog.tsx"
import { closeDialog, openedDialog } from "./openedDialog.ts"

export interface FormDialogProps extends Omit<FormProps, "busy" | "onCancel" | "onSubmit"> {
  readonly title: string
  /** Whether it stays open while it is sent, since the answer is shown once. */
  readonly isLocked?: boolean
  /** Sends the form; a returned text is announced. Then the dialog closes, unless the result is `stayOpen`. */
  readonly onSubmit: () => Promise<unknown>
}

/** The result of a form that is not sent. */
export const stayOpen = Symbol("stayOpen")

/** A dialog with a form. If sending it fails, the problem is shown and the dialog stays open. */
export const FormDialog = ({ isLocked = false, onSubmit, title, ...form }: FormDialogProps) => {
  const own = useMemo(() => openedDialog.peek(), [])
  const busy = useSignal(false)
  const send = async () => {
    const said = await onSubmit()
    if (said === stayOpen) return undefined
    // The form may have opened another dialog, or the user closed this one.
    if (openedDialog.peek() === own) closeDialog()
    return said
  }
  return (
    <Dialog title={title} isRequired={isLocked && busy.value}>
      <Form {...form} busy={busy} onSubmit={send} onCancel={closeDialog} />
    </Dialog>
  )
}
