// The widget as a page of its own, in a frame. It is set up like the one in the form.
import { noteMessage } from "./log.js"
import { get } from "./nodes.js"
import { gateway, platform, settings } from "./settings.js"
import { chosenAttributes, chosenTheme } from "./stage.js"

let frame = get("frame", HTMLIFrameElement)

/**
 * The options stand behind the `#`, where no server logs them. Others are for another frame in the place of this one: to
 * go elsewhere in the same one would be a step in the browser's history.
 */
const show = () => {
  const { dir: _, ...attributes } = chosenAttributes()
  const theme = chosenTheme()
  const options = {
    "publishable-key": settings.key,
    parent: gateway,
    saved: "true",
    ...attributes,
    ...(theme !== "" && { theme })
  }
  const address = `${platform}/v1/widget/embed#${new URLSearchParams(options)}`
  if (frame.src === address) return
  const former = frame
  frame = document.createElement("iframe")
  for (const { name, value } of former.attributes) frame.setAttribute(name, value)
  frame.src = address
  former.replaceWith(frame)
}

addEventListener("message", ({ data, origin, source }) => {
  if (source !== frame.contentWindow || origin !== platform) return
  noteMessage(`Message from the embedded widget: ${data.type}`, data)
  if (data.type === "ready") frame.contentWindow?.postMessage({ version: 1, type: "start" }, platform)
})

if (settings.has_embed) {
  get("settings", HTMLFormElement).addEventListener("input", show)
  show()
} else get("embed", HTMLElement).hidden = true
