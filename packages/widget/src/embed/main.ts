/** The hosted page: one picker with the address's options, whose events are sent to the host. */
import { createPicker } from "../createPicker.ts"
import { languageOf, languages, loadMessages } from "../languages/loadMessages.ts"
import { postToApps } from "./appBridges.ts"
import { type EmbedMessage, ready } from "./Message.ts"
import { type EmbedOptions, InvalidOption, readOptions, readParent } from "./Options.ts"
import { postToParent, sendWithOrigin, startedBy } from "./parentPage.ts"

/** The framing page's time to respond before the user sees what is missing. */
const timeout_ms = 5_000

const isFramed = window.parent !== window
const parent = readParent(location)

/** Shows why there is no picker. The element is in the HTML, so that screen readers know the live region. */
const notice = document.querySelector("main > p") ?? document.body

/** In a frame only the framing page is notified: an app's WebView adds its objects to every frame. */
const tell = (message: EmbedMessage): void => {
  if (!isFramed) postToApps(message)
  else if (parent !== "") postToParent(parent, message)
}

const run = async (): Promise<void> => {
  const options = checked(readOptions(location))
  const { lang, theme } = options
  document.documentElement.lang =
    lang || (navigator.languages.map(languageOf).find((language) => languages.includes(language)) ?? "en")
  if (theme !== "") document.documentElement.style.colorScheme = theme
  await showHeading(options)
  if (isFramed) await joinParent()
  else tell(ready)
  showPicker(options)
}

/** The `parent` option has to match whether the page is framed. */
const checked = (options: EmbedOptions): EmbedOptions => {
  if (self.origin === "null") {
    throw new InvalidOption("sandbox: a frame of this page needs allow-same-origin and allow-scripts")
  }
  if (isFramed && options.parent === "") {
    throw new InvalidOption("parent: in a frame the origin of the page around it is expected, as https://shop.example")
  }
  if (!isFramed && options.parent !== "") throw new InvalidOption("parent: expected in a frame only")
  return options
}

const joinParent = async (): Promise<void> => {
  const started = startedBy(parent)
  show("")
  const timer = setTimeout(() => show(`Waiting for an answer from ${parent} …`), timeout_ms)
  tell(ready)
  await started
  clearTimeout(timer)
  sendWithOrigin(parent)
}

const showHeading = async ({ label }: EmbedOptions): Promise<void> => {
  const { postcode = "" } = await loadMessages(document.documentElement.lang)
  const heading = document.querySelector("h1")
  document.title = label || postcode
  if (heading) heading.textContent = document.title
}

const showPicker = ({ discover, label, publishableKey, saved, until, value }: EmbedOptions): void => {
  const picker = createPicker({
    publishableKey,
    gateway: gateway || platform,
    platform,
    label,
    saved,
    until,
    ...(value !== "" && { value }),
    onSelect: (selection) => tell({ version: 1, type: "select", selection }),
    onProblem: ({ code, message, status }) => tell({ version: 1, type: "problem", status, code, message })
  })
  picker.toggleAttribute("discover", discover)
  notice.replaceWith(picker)
}

const show = (text: string): void => {
  notice.textContent = text
}

/** The service's base URL, also below a proxy's path: the page is at `v1/widget/embed` of it. */
const platform = new URL("../..", location.href).href

/** The gateway's host if separate; otherwise an empty text. */
const gateway = document.documentElement.dataset.gateway ?? ""

// Changing only the part after # does not reload the document.
addEventListener("hashchange", () => location.reload())

run().catch((error: unknown) => {
  if (!(error instanceof InvalidOption)) throw error
  show(error.message)
  tell({ version: 1, type: "problem", status: 0, code: "invalid_option", message: error.message })
})
