// The map of active units: states, or the local government areas of one. The table beside it offers the same choices.
import { get, make } from "./nodes.js"
import { ask } from "./requests.js"

/** @typedef {import("../UnitCounts.ts").CountedState} CountedState */
/** @typedef {import("../UnitCounts.ts").CountedPlace} CountedPlace */

const width = 480
const height = 384
/** Local government areas of a city are close to each other. */
const largestRadius = { state: 24, lga: 13 }

const map = document.querySelector("#map")
if (!(map instanceof SVGSVGElement)) throw new Error("the page has no #map")
const rows = get("map-rows", HTMLElement)
const chosen = get("map-chosen", HTMLElement)
const back = get("map-back", HTMLButtonElement)

/** @type {ReadonlyArray<CountedState>} */
const states = await (await ask("/demo/units.json")).json()
const lgas = states.flatMap((state) => state.lgas)
const all = sumOf(states)

/** @param {ReadonlyArray<CountedPlace>} places */
function sumOf(places) {
  return places.reduce((sum, { units }) => sum + units, 0)
}

/** @param {number} units */
const counted = (units) => `${units.toLocaleString("en")} units`

/**
 * @param {string} tag
 * @param {Readonly<Record<string, string | number>>} attributes
 * @param {ReadonlyArray<Node | string>} children
 */
const draw = (tag, attributes, ...children) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
  element.append(...children)
  return element
}

/**
 * Equirectangular projection that fits the places into the drawing, north up.
 *
 * @param {ReadonlyArray<CountedPlace>} places
 */
const projectionOf = (places) => {
  const lats = places.map(({ lat }) => lat)
  const lons = places.map(({ lon }) => lon)
  const [south, north, west, east] = [Math.min(...lats), Math.max(...lats), Math.min(...lons), Math.max(...lons)]
  const shrink = Math.cos((((south + north) / 2) * Math.PI) / 180)
  const room = 2 * (largestRadius.state + 8)
  // Pixels per degree of latitude. One place alone has no extent.
  const scale = Math.min((width - room) / ((east - west) * shrink || 1), (height - room) / (north - south || 1))
  /** @param {CountedPlace} place @returns {readonly [number, number]} */
  const project = ({ lat, lon }) => [
    width / 2 + (lon - (west + east) / 2) * shrink * scale,
    height / 2 - (lat - (south + north) / 2) * scale
  ]
  return { project, pixelsPerKm: scale / 111.2 }
}

/** @param {number} pixelsPerKm */
const scaleBar = (pixelsPerKm) => {
  const km = [1, 2, 5, 10, 20, 50, 100, 200].findLast((length) => length * pixelsPerKm <= 110) ?? 1
  const end = 12 + km * pixelsPerKm
  return draw(
    "g",
    { class: "scale", "aria-hidden": "true" },
    draw("path", { d: `M12 ${height - 16}v6h${km * pixelsPerKm}v-6` }),
    draw("text", { x: end + 6, y: height - 9 }, `${km} km`)
  )
}

/**
 * Shows a country's states, or a state's local government areas.
 *
 * @param {CountedState | undefined} state
 */
const show = (state) => {
  const places = state?.lgas ?? states
  const { pixelsPerKm, project } = projectionOf(state ? places : lgas)
  const most = Math.max(...places.map(({ units }) => units))
  const ground = state ? [] : lgas.map((lga) => dot(project(lga)))
  const marks = places.map((place) => mark(place, project(place), most))
  // The largest come first, so that none hides a smaller one; keyboards follow the codes.
  const inLayers = marks.toSorted((a, b) => Number(b.dataset.units) - Number(a.dataset.units))
  map.replaceChildren(...ground, ...inLayers, scaleBar(pixelsPerKm))
  get("map-column", HTMLElement).textContent = state ? "Local government area" : "State"
  rows.replaceChildren(...places.toSorted((a, b) => b.units - a.units).map(row))
  back.disabled = state === undefined
  chosen.textContent = state
    ? `${state.name}: ${counted(state.units)} in ${state.lgas.length} local government areas.`
    : `Nigeria: ${counted(all)} in ${states.length} states. Choose one.`
  map.setAttribute("role", "group")
  map.setAttribute("aria-label", state ? `Local government areas of ${state.name}` : "States of Nigeria")
  marks[0]?.setAttribute("tabindex", "0")
}

/** @param {readonly [number, number]} at */
const dot = ([cx, cy]) => draw("circle", { class: "ground", cx, cy, r: 2 })

/** @param {CountedPlace} place @param {readonly [number, number]} at @param {number} most */
const mark = (place, [x, y], most) => {
  const { code, name, units } = place
  const label = `${name}, ${code}: ${counted(units)}`
  const attributes = { class: "mark", role: "button", tabindex: "-1", "aria-label": label, "data-code": code }
  const largest = code.length === 2 ? largestRadius.state : largestRadius.lga
  const radius = Math.max(7, largest * Math.sqrt(units / most))
  const made = /** @type {SVGGElement} */ (
    draw(
      "g",
      { ...attributes, "data-units": units, "aria-pressed": "false", transform: `translate(${x} ${y})` },
      draw("title", {}, label),
      draw("circle", { r: radius }),
      draw("text", { y: 3 }, code.slice(-2))
    )
  )
  made.addEventListener("click", () => choose(place, "map"))
  return made
}

/** @param {CountedPlace} place */
const row = (place) => {
  const button = make("button", { type: "button", "data-code": place.code }, place.name)
  button.addEventListener("click", () => choose(place, "table"))
  return make(
    "tr",
    {},
    make("th", { scope: "row" }, button),
    make("td", {}, make("code", {}, place.code)),
    make("td", { class: "number" }, place.units.toLocaleString("en"))
  )
}

/**
 * A state opens; a local government area is marked. The focus stays in the map or in the table.
 *
 * @param {CountedPlace} place @param {"map" | "table"} from
 */
const choose = (place, from) => {
  const state = states.find(({ code }) => code === place.code)
  if (state) {
    show(state)
    const next = from === "map" ? map.querySelector(".mark[tabindex='0']") : rows.querySelector("button")
    if (next instanceof HTMLElement || next instanceof SVGElement) next.focus({ preventScroll: true })
    return
  }
  for (const one of map.querySelectorAll(".mark")) {
    one.setAttribute("aria-pressed", String(one.getAttribute("data-code") === place.code))
  }
  const share = ((100 * place.units) / all).toFixed(1)
  chosen.textContent = `${place.name}, ${place.code}: ${counted(place.units)}, ${share} % of all.`
}

/** @param {KeyboardEvent} event */
const onKey = (event) => {
  const marks = [...map.querySelectorAll(".mark")].toSorted((a, b) =>
    String(a.getAttribute("data-code")).localeCompare(String(b.getAttribute("data-code")))
  )
  const at = marks.findIndex((one) => one.matches(":focus"))
  if (at < 0) return
  if (event.key === "Enter" || event.key === " ") marks[at]?.dispatchEvent(new MouseEvent("click", { bubbles: true }))
  else if (event.key === "Escape") back.click()
  else {
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }
    const step = steps[/** @type {keyof typeof steps} */ (event.key)]
    if (step === undefined) return
    const next = marks.at((at + step) % marks.length)
    marks[at]?.setAttribute("tabindex", "-1")
    next?.setAttribute("tabindex", "0")
    if (next instanceof SVGElement) next.focus()
  }
  event.preventDefault()
}

map.addEventListener("keydown", onKey)
back.addEventListener("click", () => {
  show(undefined)
  const first = map.querySelector(".mark[tabindex='0']")
  if (first instanceof SVGElement) first.focus({ preventScroll: true })
})
show(undefined)
