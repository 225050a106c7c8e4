// First of all, so that nothing sees the token of an invitation in the address.
import "./router/address.ts"
import "./style.css"
import { render } from "preact"
import { App } from "./App.tsx"
import { begin } from "./state/session.ts"

document.body.replaceChildren()
render(<App />, document.body)
void begin()

// A page that a browser kept while one was elsewhere may be that of somebody who has signed out since.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload()
})
