// Must be first, so that no other code sees an invitation's token in the address.
import { path } from "./router/address.ts"
import "./style.css"
import { render } from "preact"
import { App } from "./App.tsx"
import { screenAt } from "./router/Screen.ts"
import { screens } from "./screens.ts"
import { begin } from "./state/session.ts"

document.body.replaceChildren()
render(<App />, document.body)
void begin()
// Loads the first screen's chunk while the session is checked. If it fails, the outlet reports it.
screenAt(screens, path.value)
  ?.load()
  .catch(() => {})

// A page from the browser's back/forward cache may show the data of a signed-out account.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload()
})
