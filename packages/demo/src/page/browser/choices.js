// The test users, and the failures that can be simulated.
import { get, make } from "./nodes.js"
import { ask, expireNextToken } from "./requests.js"
import { gateway, settings } from "./settings.js"
import { identify, start, working } from "./stage.js"

/** @typedef {import("./settings.js").PageSettings} PageSettings */
/** @typedef {import("./stage.js").Service} Service */
/** @typedef {{ readonly title: string, readonly text: string, readonly service: Service, readonly before?: () => unknown }} Failure */

const { failing_keys, nowhere, people } = settings
const { unavailable, elsewhere, limited, revoked, unpaid } = failing_keys
const [known] = people

/** @type {ReadonlyArray<Failure>} */
const failures = [
  { title: "401 invalid_api_key", text: "The key was revoked.", service: { key: revoked } },
  {
    title: "401 invalid_token",
    text: "The session has expired. The widget automatically starts a new one, for another credit.",
    service: working,
    before: () => expireNextToken(true)
  },
  { title: "402 insufficient_credits", text: "The organization has no credits.", service: { key: unpaid } },
  {
    title: "403 origin_not_allowed",
    text: "The key is bound to pages of https://shop.example.",
    service: { key: elsewhere }
  },
  {
    title: "429 rate_limit_exceeded",
    text: "The key is limited to one request a minute, and this page has just sent one.",
    service: { key: limited },
    before: () => ask(`${gateway}/v1/search/autocomplete?q=LA`, { headers: { "x-api-key": limited } })
  },
  {
    title: "503 service_unavailable",
    text: "The store is unavailable for this key.",
    service: { key: unavailable }
  },
  {
    title: "offline",
    text: "No service responds at the address. Whole postcodes still work.",
    service: { key: settings.key, gateway: nowhere, platform: nowhere }
  }
]

/**
 * Starts with a service, and signs a test user in.
 *
 * @param {string} title @param {string} text @param {Service} service @param {string} identifier
 * @param {() => unknown} [before] what has to be first
 */
const choiceButton = (title, text, service, identifier, before) => {
  const button = make(
    "button",
    { type: "button", "aria-pressed": "false" },
    make("b", {}, title),
    make("small", {}, text)
  )
  button.addEventListener("click", async () => {
    const picker = start(service)
    button.setAttribute("aria-pressed", "true")
    await before?.()
    await identify(picker, identifier)
  })
  return button
}

/** @param {PageSettings["people"][number]} person */
const personButton = ({ bookmarks, identifiers, name }) =>
  choiceButton(name, `${savedBy(bookmarks)}\n${identifiers[0]}`, working, identifiers[0])

/** @param {PageSettings["people"][number]["bookmarks"]} bookmarks */
const savedBy = (bookmarks) => {
  if (bookmarks === undefined) return "Unknown to the service"
  return bookmarks.length === 0 ? "No saved postcodes" : `${bookmarks.length} saved postcodes`
}

/** @param {Failure} failure */
const failureButton = ({ before, service, text, title }) =>
  choiceButton(title, text, service, known.identifiers[0], before)

get("people", HTMLElement).append(...people.map(personButton))
get("failures", HTMLElement).append(...failures.map(failureButton))
