// The demonstration page. Only its keys are special: all else could stand on any page.
import { emptyLog } from "./log.js"
import { get } from "./nodes.js"
import { gateway, settings } from "./settings.js"
import { start, working } from "./stage.js"
import "./choices.js"
import "./drawer.js"
import "./endpoints.js"
import "./frame.js"
import "./markup.js"

if (!settings.origins.includes(gateway)) {
  get("elsewhere", HTMLElement).hidden = false
  get("elsewhere-link", HTMLAnchorElement).href = settings.origins[0]
}
get("console-link", HTMLElement).hidden = !settings.has_console
// What scrolls has to be reached by keyboard, and named.
for (const region of document.querySelectorAll("[data-title]")) {
  region.setAttribute("role", "region")
  region.setAttribute("tabindex", "0")
  region.setAttribute("aria-labelledby", region.getAttribute("data-title") ?? "")
}
emptyLog()
start(working)
// Last, as its data is the largest.
await import("./map.js")
