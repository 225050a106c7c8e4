import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { Announcement } from "../feedback/Announcement.tsx"
import { Button } from "../forms/Button.tsx"
import { closeDialog } from "./openedDialog.ts"

export interface DialogProps {
  readonly title: string
  /** Called when the user closes it by its button or Escape. Default: closes the open dialog. */
  readonly onClose?: () => unknown
  /** Whether it has no close button and ignores Escape, such as while a secret is created that is shown once. */
  readonly isRequired?: boolean
  readonly children: ComponentChildren
}

/** A modal dialog, open while it is rendered. The focus returns to the element that had it. */
export const Dialog = ({ children, isRequired = false, onClose = closeDialog, title }: DialogProps) => {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => {
      element?.close()
      // The element that opened it may be gone, such as the row of a removed item.
      if (document.activeElement === document.body) document.querySelector<HTMLElement>("h1")?.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        if (!isRequired) onClose()
      }}
      // On a second Escape, browsers close the dialog without a cancel event.
      onClose={({ currentTarget }) => {
        if (!currentTarget.isConnected) return
        if (isRequired) currentTarget.showModal()
        else onClose()
      }}
    >
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        {!isRequired && <Button kind="quiet" icon="close" label="Close" onClick={onClose} />}
      </div>
      {children}
      <Announcement />
    </dialog>
  )
}
