// First of all, so that nothing sees the token of an invitation in the address.
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
// Its script is on its way while it is asked who is signed in. Where it does not come, whoever shows the screen says so.
screenAt(screens, path.value)
  ?.load()
  .catch(() => {})

// A page that a browser kept while one was elsewhere may be that of somebody who has signed out since.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload()
})
