// What one copies: the widget's markup as it is set up, and the commands of a session.
import { get, make } from "./nodes.js"
import { gateway, platform, settings } from "./settings.js"
import { chosenAttributes } from "./stage.js"

const { key, people, postcode } = settings
const [{ identifiers, name }] = people

const showMarkup = () => {
  const attributes = {
    name: "postcode",
    required: "",
    gateway,
    platform,
    "publishable-key": key,
    ...chosenAttributes()
  }
  const lines = Object.entries(attributes).map(([name, value]) => `  ${name}${value === "" ? "" : `="${value}"`}`)
  get("markup", HTMLElement).textContent =
    `<script type="module" src="${gateway}/demo/picker/postcode-picker.js"></script>\n\n` +
    `<postcode-picker\n${lines.join("\n")}></postcode-picker>`
}

/** @type {ReadonlyArray<readonly [what: string, command: string]>} */
const commands = [
  [
    `Start a session for ${name}`,
    `TOKEN=$(curl -s '${platform}/v1/widget/session' -H 'X-API-Key: ${key}' \\\n` +
      `  -H 'Content-Type: application/json' -d '{"identifier":"${identifiers[0]}"}' | cut -d '"' -f 6)`
  ],
  ["Her saved postcodes", `curl '${platform}/v1/widget/bookmarks' -H "Authorization: Bearer $TOKEN"`],
  [
    "What she picked",
    `curl '${platform}/v1/widget/selected' -H "Authorization: Bearer $TOKEN" \\\n` +
      `  -H 'Content-Type: application/json' -d '{"postcode":"${postcode}"}'`
  ],
  ["Search, which needs neither key nor session", `curl '${gateway}/v1/search/autocomplete?q=la%20ike'`]
]

/** @param {readonly [what: string, command: string]} command */
const commandBlock = ([what, command]) => {
  const copy = make("button", { type: "button", "aria-label": `Copy: ${what}` }, "Copy")
  // Browsers have a clipboard for pages of this machine, and for those over HTTPS.
  copy.hidden = !isSecureContext
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(command)
    copy.textContent = "Copied"
    setTimeout(() => copy.replaceChildren("Copy"), 2_000)
  })
  return make(
    "div",
    { class: "command" },
    make("div", { class: "head" }, make("p", {}, what), copy),
    make("pre", {}, command)
  )
}

get("commands", HTMLElement).append(...commands.map(commandBlock))
get("settings", HTMLFormElement).addEventListener("input", showMarkup)
showMarkup()
