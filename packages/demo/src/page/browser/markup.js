// The widget's markup with the current settings.
import { get } from "./nodes.js"
import { gateway, platform, settings } from "./settings.js"
import { chosenAttributes, fill } from "./stage.js"

const showMarkup = () => {
  const attributes = {
    name: "postcode",
    required: "",
    saved: "",
    discover: "",
    fill,
    gateway,
    platform,
    "publishable-key": settings.key,
    ...chosenAttributes()
  }
  const lines = Object.entries(attributes).map(([name, value]) => `  ${name}${value === "" ? "" : `="${value}"`}`)
  get("markup", HTMLElement).textContent =
    `<script type="module" src="${gateway}/demo/picker/postcode-picker.js"></script>\n\n` +
    `<postcode-picker\n${lines.join("\n")}></postcode-picker>`
}

get("settings", HTMLFormElement).addEventListener("input", showMarkup)
showMarkup()
