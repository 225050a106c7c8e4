/** The open dialog. There is one at a time, outside the screens, so that a screen needs no state for it. */
import { effect, signal } from "@preact/signals"
import type { VNode } from "preact"
import { path } from "../../router/address.ts"

/** Undefined while none is open. */
export const openedDialog = signal<VNode | undefined>()

/** Opens a dialog; it replaces an open one. */
export const openDialog = (dialog: VNode): void => {
  openedDialog.value = dialog
}

export const closeDialog = (): void => {
  openedDialog.value = undefined
}

// A dialog belongs to the screen that opened it, so any navigation closes it.
effect(() => {
  if (path.value !== undefined) closeDialog()
})
