/** What the forms in a picker have alike: for an identifier, and for an address that is not listed. */
import type { make as makeNode } from "./View.ts"

/** An open form. */
export interface Form {
  readonly title: HTMLElement
  readonly proceed: HTMLButtonElement
  readonly cancel: HTMLButtonElement
  readonly close: () => void
}

/** Opens a form with these nodes. Enter in an input submits it, Escape leaves it. */
export type OpenForm = (nodes: ReadonlyArray<Node>, onSubmit: () => void, onCancel: () => void) => Form

/** @param panel where forms are shown */
export const formOpener =
  (panel: HTMLElement, make: typeof makeNode): OpenForm =>
  (nodes, onSubmit, onCancel) => {
    const title = make("b", { part: "title" })
    const proceed = make("button", { part: "continue", type: "button" })
    const cancel = make("button", { part: "cancel", type: "button" })
    const form = make("div", { part: "form" }, title, ...nodes, proceed, cancel)
    // What is typed in it is not the picker's value.
    form.addEventListener("input", (event) => event.stopPropagation())
    form.addEventListener("keydown", (event) => {
      const { isComposing, key, target } = event
      if (isComposing) return
      if (key === "Enter" && target instanceof HTMLInputElement) onSubmit()
      else if (key === "Escape") onCancel()
      else return
      // Neither a form nor a dialog of the page takes the key, too.
      event.preventDefault()
      event.stopPropagation()
    })
    proceed.addEventListener("click", onSubmit)
    cancel.addEventListener("click", onCancel)
    panel.replaceChildren(form)
    panel.hidden = false
    const close = () => {
      panel.hidden = true
      panel.replaceChildren()
    }
    return { title, proceed, cancel, close }
  }
