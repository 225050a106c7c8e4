import { useMemo } from "preact/hooks"
import { useAction } from "../../hooks/useAction.ts"
import { announce } from "../feedback/announce.ts"
import { Form, type FormProps } from "../forms/Form.tsx"
import { Dialog } from "./Dialog.tsx"
import { closeDialog, openedDialog } from "./openedDialog.ts"

export interface FormDialogProps extends Pick<FormProps, "children" | "kind" | "submit"> {
  readonly title: string
  /** Whether it stays open while it is sent, since the answer is shown once. */
  readonly isLocked?: boolean
  /**
   * Sends the form; the dialog closes after it, and the returned text is announced. If it fails, the problem is shown
   * and the dialog stays open. `stayOpen` keeps it open, too.
   */
  readonly onSubmit: () => Promise<string | typeof stayOpen | undefined>
}

/** The result of a form that is not sent. */
export const stayOpen = Symbol("stayOpen")

/** A dialog with a form. */
export const FormDialog = ({ children, isLocked = false, kind, onSubmit, submit, title }: FormDialogProps) => {
  const own = useMemo(() => openedDialog.peek(), [])
  const action = useAction(async () => {
    const said = await onSubmit()
    if (said === stayOpen) return
    // The form may have opened another dialog, or the user closed this one.
    if (openedDialog.peek() === own) closeDialog()
    if (said !== undefined) announce(said)
  })
  return (
    <Dialog title={title} isRequired={isLocked && action.isBusy}>
      <Form action={action} submit={submit} onCancel={closeDialog} {...(kind && { kind })}>
        {children}
      </Form>
    </Dialog>
  )
}
