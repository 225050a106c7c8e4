import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"
import { Notice } from "../feedback/Notice.tsx"
import { Button } from "../forms/Button.tsx"
import { Dialog } from "./Dialog.tsx"
import { closeDialog } from "./openedDialog.ts"

export interface OnceDialogProps {
  readonly title: string
  /** The content; it calls the argument when the secret was copied. */
  readonly children: (onCopied: () => void) => ComponentChildren
  /** The warning if nothing was copied. */
  readonly loss: string
  /** Closes the dialog and discards its content. Default: closes the open dialog. */
  readonly onClose?: () => unknown
}

/** Shows a secret once, and asks before it or the page is closed without a copy. */
export const OnceDialog = ({ children, loss, onClose = closeDialog, title }: OnceDialogProps) => {
  const isCopied = useSignal(false)
  const isAsking = useSignal(false)
  const onCopied = () => {
    isCopied.value = true
    isAsking.value = false
  }
  const close = () => {
    if (isCopied.value) onClose()
    else isAsking.value = true
  }
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (!isCopied.value) event.preventDefault()
    }
    addEventListener("beforeunload", ask)
    return () => removeEventListener("beforeunload", ask)
  }, [])
  return (
    <Dialog title={title} isRequired onClose={onClose}>
      <div class="stack">
        {children(onCopied)}
        {isAsking.value && (
          <Notice tone="bad" title="Nothing was copied" isSpoken>
            <p>{loss}</p>
          </Notice>
        )}
        <div class="actions">
          <Button kind="primary" onClick={close}>
            I have stored it
          </Button>
          {isAsking.value && (
            <Button kind="danger" onClick={onClose}>
              Close without a copy
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  )
}
