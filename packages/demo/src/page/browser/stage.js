// The widget in its form. The page uses it as any page would: by its attributes, properties, events and parts.
import { note, noteEvent } from "./log.js"
import { get, make } from "./nodes.js"
import { expireNextToken, recordRequests } from "./requests.js"
import { gateway, platform, settings } from "./settings.js"

/** @typedef {import("../../../../widget/src/index.ts").PostcodePicker} PostcodePicker */
/** @typedef {{ readonly key: string, readonly gateway?: string, readonly platform?: string }} Service */

/** The fields of the form that a selection fills in. */
export const fill = "address:#street state:#state lga:#lga"

/** The service with a key that works. @type {Service} */
export const working = { key: settings.key }

const form = get("form", HTMLFormElement)
const options = get("settings", HTMLFormElement)
const scene = get("scene", HTMLElement)
const stage = get("stage", HTMLElement)
const sends = get("sends", HTMLOutputElement)
const order = get("order", HTMLOutputElement)

/** @type {PostcodePicker} */
let picker

/**
 * Puts a new widget into the form, without a session, and answers it.
 *
 * @param {Service} service
 */
export const start = ({ gateway: asked = "", key, platform: askedToo = platform === gateway ? "" : platform }) => {
  expireNextToken(false)
  scene.hidden = true
  for (const pressed of document.querySelectorAll(".choices [aria-pressed=true]"))
    pressed.setAttribute("aria-pressed", "false")
  picker = document.createElement("postcode-picker")
  Object.assign(picker, { id: "where", name: "postcode", required: true, saved: true, fill, publishableKey: key })
  picker.setAttribute("discover", "")
  if (asked !== "") picker.gateway = asked
  if (askedToo !== "") picker.platform = askedToo
  setUp()
  stage.replaceChildren(picker)
  showValue()
  return picker
}

/**
 * Opens the saved postcodes of a widget with an identifier, as a person would. Does nothing if another one has taken its
 * place.
 *
 * @param {PostcodePicker} asked
 * @param {string} identifier
 */
export const identify = async (asked, identifier) => {
  const root = asked.shadowRoot
  const open = root?.querySelector("[part=saved]")
  if (asked !== picker || !root || !(open instanceof HTMLButtonElement)) return
  open.click()
  const field = await appearing(root, "[part~=identifier]")
  const proceed = root.querySelector("[part~=continue]")
  if (asked !== picker || !(field instanceof HTMLInputElement && proceed instanceof HTMLButtonElement)) return
  field.value = identifier
  proceed.click()
}

/**
 * The element once it is there: the widget loads its form when it is opened.
 *
 * @param {ShadowRoot} root @param {string} selector
 * @returns {Promise<Element>}
 */
const appearing = (root, selector) =>
  new Promise((resolve) => {
    const look = () => {
      const found = root.querySelector(selector)
      if (!found) return
      observer.disconnect()
      resolve(found)
    }
    const observer = new MutationObserver(look)
    observer.observe(root, { childList: true, subtree: true })
    look()
  })

/** Where "Use my location" finds the device: at the example, unless the visitor prefers the real place. */
const { geolocation } = navigator
const locateDevice = geolocation?.getCurrentPosition.bind(geolocation)
if (locateDevice) {
  geolocation.getCurrentPosition = (found, failed, options) => {
    if (choice("location") === "device") return locateDevice(found, failed, options)
    const { lat: latitude, lng: longitude } = settings.position
    const coords = { latitude, longitude, accuracy: 20 }
    found(/** @type {GeolocationPosition} */ ({ coords, timestamp: Date.now() }))
  }
}

/** What is chosen of the page's looks: `light`, `dark`, or nothing. */
export const chosenTheme = () => choice("theme")

/** The attributes that the settings ask for, where they are not the usual ones. */
export const chosenAttributes = () =>
  Object.fromEntries(
    Object.entries(usual)
      .map(([name]) => [name, choice(name)])
      .filter(([name = "", value]) => value !== usual[name])
  )

/** @type {Readonly<Record<string, string>>} */
const usual = { lang: "en", dir: "ltr", until: "unit" }

/** @param {string} name */
const choice = (name) => String(new FormData(options).get(name))

const setUp = () => {
  for (const name of Object.keys(usual)) picker.removeAttribute(name)
  for (const [name, value] of Object.entries(chosenAttributes())) picker.setAttribute(name, value)
  document.documentElement.dataset.theme = chosenTheme()
}

const showValue = () => {
  const sent = [...new FormData(form)].filter(([, value]) => value !== "").map(([name, value]) => `${name}=${value}`)
  sends.value = sent.join("&") || "nothing yet"
}

const showOrder = () => {
  const values = new FormData(form)
  const lines = {
    Name: "name",
    "House number and street": "street",
    "Local government area": "lga",
    State: "state",
    Postcode: "postcode"
  }
  const list = Object.entries(lines).flatMap(([title, name]) => {
    const value = String(values.get(name)).replaceAll("-", name === "postcode" ? " " : "-")
    return [make("dt", {}, title), make("dd", {}, value || "–")]
  })
  order.replaceChildren(make("strong", {}, "Order placed"), make("dl", {}, ...list))
}

/** @param {string} text @param {boolean} isFine */
const say = (text, isFine) => {
  scene.textContent = text
  scene.hidden = false
  scene.classList.toggle("fine", isFine)
}

stage.addEventListener("postcode-select", ({ detail }) => {
  noteEvent("postcode-select", detail)
  showValue()
})
stage.addEventListener("postcode-problem", ({ detail: { code, message, status } }) => {
  noteEvent("postcode-problem", { status, code, message })
  if (status === 0) say(`${code}: typing a whole postcode still works.`, false)
  else say(`${status} ${code}: search and typing still work.`, false)
})
recordRequests(() => say("401 invalid_token: the widget automatically starts a new session.", true))

for (const name of ["input", "change"]) form.addEventListener(name, showValue)
// The fields are empty only after all listeners. A test user and a simulated failure end, too.
form.addEventListener("reset", () =>
  setTimeout(() => {
    start(working)
    order.replaceChildren("Fill in the form and place the order. It appears here.")
  })
)
form.addEventListener("submit", (event) => {
  event.preventDefault()
  showValue()
  note(make("b", {}, "submit"), ` ${sends.value}`)
  showOrder()
})
options.addEventListener("input", setUp)
