// The demonstration page. Only its keys are special: all else could stand on any page.
import { emptyLog } from "./log.js"
import { get } from "./nodes.js"
import { gateway, settings } from "./settings.js"
import { start, working } from "./stage.js"
import "./choices.js"
import "./frame.js"
import "./markup.js"

if (!settings.origins.includes(gateway)) {
  get("elsewhere", HTMLElement).hidden = false
  get("elsewhere-link", HTMLAnchorElement).href = settings.origins[0]
}
emptyLog()
start(working)
