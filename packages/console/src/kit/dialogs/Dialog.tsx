import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { Announcement } from "../feedback/Announcement.tsx"
import { Button } from "../forms/Button.tsx"

export interface DialogProps {
  readonly title: string
  /** Called when it is left, by its button or by Escape. The one who shows it takes it away then. */
  readonly onClose: () => unknown
  /**
   * Whether it cannot be left without an answer, so that it has no button for that; as while something is made that is
   * shown once.
   */
  readonly isRequired?: boolean
  readonly children: ComponentChildren
}

/** A window over the page, open as long as it is there. The focus goes back to where it was. */
export const Dialog = ({ children, isRequired = false, onClose, title }: DialogProps) => {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => {
      element?.close()
      // What opened it may be gone, as the row of something that was removed.
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
      // When Escape is pressed twice, browsers close it without asking.
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
