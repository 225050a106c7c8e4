/** Opens the command palette: by Ctrl-K, by Cmd-K, or by its button. Its code is loaded when it is opened. */
import { closeDialog, openDialog, openedDialog } from "../kit/dialogs/openedDialog.ts"
import { announce } from "../kit/feedback/announce.ts"
import { account, hasSessionEnded } from "../state/session.ts"

/** Opens it, unless another dialog is open. */
export const openPalette = async (): Promise<void> => {
  try {
    const { Palette } = await import("../palette/Palette.tsx")
    if (openedDialog.value === undefined) openDialog(<Palette onClose={closeDialog} />)
  } catch {
    announce("The search did not load. Reload the page.")
  }
}

addEventListener("keydown", (event) => {
  const isShortcut =
    event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
  if (!isShortcut || account.value === undefined || hasSessionEnded.value) return
  event.preventDefault()
  void openPalette()
})

/** The name of the shortcut on this machine. */
export const shortcut = /mac|iphone|ipad/i.test(navigator.platform) ? "⌘K" : "Ctrl K"
