/** The hosted page: one picker as the address asks for it, and whoever shows the page is told what happens. */
import { createPicker } from "../createPicker.ts"
import { languageOf, languages, loadMessages } from "../loadMessages.ts"
import { tellApps } from "./appBridges.ts"
import { type EmbedMessage, ready } from "./Message.ts"
import { type EmbedOptions, InvalidOption, readOptions, readParent } from "./Options.ts"
import { askInTheNameOf, startedBy, tellParent } from "./parentPage.ts"

/** How long the page around a frame may take to answer before the user is told what is missing. */
const patience_ms = 5_000

const isFramed = window.parent !== window
const parent = readParent(location)

/** Where the page says what keeps it from showing a picker. It stands in the HTML, so that screen readers know of it. */
const notice = document.querySelector("main > p") ?? document.body

/** In a frame the page around it is told, and nobody else: an app's view puts its objects into every frame. */
const tell = (message: EmbedMessage): void => {
  if (!isFramed) tellApps(message)
  else if (parent !== "") tellParent(parent, message)
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

/** Whether the page is in a frame, and in which, has to fit what it was told. */
const checked = (options: EmbedOptions): EmbedOptions => {
  if (self.origin === "null") {
    throw new InvalidOption("sandbox: a frame of this page needs allow-same-origin in it, beside allow-scripts")
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
  const timer = setTimeout(() => show(`Waiting for an answer from ${parent} …`), patience_ms)
  tell(ready)
  await started
  clearTimeout(timer)
  askInTheNameOf(parent)
}

const showHeading = async ({ label }: EmbedOptions): Promise<void> => {
  const { postcode } = await loadMessages(document.documentElement.lang)
  const heading = document.querySelector("h1")
  document.title = label || postcode
  if (heading) heading.textContent = document.title
}

const showPicker = ({ label, level, publishableKey, until, value }: EmbedOptions): void => {
  const picker = createPicker({
    publishableKey,
    gateway: gateway || platform,
    platform,
    label,
    level,
    until,
    ...(value !== "" && { value }),
    onSelect: (selection) => tell({ version: 1, type: "select", selection }),
    onProblem: ({ code, message, status }) => tell({ version: 1, type: "problem", status, code, message })
  })
  notice.replaceWith(picker)
}

const show = (text: string): void => {
  notice.textContent = text
}

/** The service is where the page is, also below a path of a proxy: the page is at `v1/widget/embed` of it. */
const platform = new URL("../..", location.href).href

/** The other host, where the service is two; else an empty text. */
const gateway = document.documentElement.dataset.gateway ?? ""

// An app that loads the page with other options behind the # gets the same document again.
addEventListener("hashchange", () => location.reload())

run().catch((error: unknown) => {
  if (!(error instanceof InvalidOption)) throw error
  show(error.message)
  tell({ version: 1, type: "problem", status: 0, code: "invalid_option", message: error.message })
})
