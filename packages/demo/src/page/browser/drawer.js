// The drawer of failures. A choice closes it, so that the widget is visible.
import { get } from "./nodes.js"

const drawer = get("drawer", HTMLDialogElement)

get("open-failures", HTMLButtonElement).addEventListener("click", () => drawer.showModal())
get("close-failures", HTMLButtonElement).addEventListener("click", () => drawer.close())
// A click outside of the content hits the dialog itself.
drawer.addEventListener("click", ({ target }) => {
  if (target === drawer) drawer.close()
})
// Before the failure begins, as the widget takes the focus.
get("failures", HTMLElement).addEventListener("click", () => drawer.close(), { capture: true })
