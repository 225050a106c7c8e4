import { useErrorBoundary } from "preact/hooks"
import { announce } from "../feedback/announce.ts"
import { closeDialog, openedDialog } from "./openedDialog.ts"

/** An error boundary: a failed dialog is closed, and the screen stays. */
export const OpenedDialog = () => {
  useErrorBoundary((error) => {
    reportError(error)
    closeDialog()
    announce("This could not be shown")
  })
  return <>{openedDialog.value}</>
}
