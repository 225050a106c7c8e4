/**
 * A map near the user's position, on which a pin finds the nearest unit, and a list of the units around it for those
 * who see no map. Loaded when the position is known; it imports no other chunk.
 */
import type { adoptStyles } from "../styles.ts"
import type { make, svg } from "../View.ts"
import { drawMap, lengthOf, type Scene } from "./drawMap.ts"
import { listenToGestures } from "./gestures.ts"
import { fromScreen, type Point, project, scaleBar, toScreen, unproject, zoomFor } from "./mercator.ts"
import { openStreets, type Streets, type StreetsOptions } from "./streets.ts"
import { discoverStyles } from "./styles.ts"

/** A unit as `GET /v1/widget/nearby` returns it. */
export interface NearUnit {
  readonly postcode: string
  readonly display: string
  readonly distance_m: number
  readonly locality_name?: string
  readonly lga_name?: string
  readonly state_name?: string
  readonly address?: string
  /** Only for keys served level 5. */
  readonly point_geometry?: { readonly coordinates: readonly [lon: number, lat: number] }
}

/** The texts, in the user's language. `{…}` is a placeholder. */
export interface DiscoverTexts {
  /** What the map is for, and its keys. */
  readonly map: string
  /** The end of the sentence `map`, if there are no streets. */
  readonly noStreets: string
  readonly mapKeys: string
  readonly zoomIn: string
  readonly zoomOut: string
  readonly locate: string
  readonly around: string
  readonly confirm: string
  readonly skip: string
  /** `{n}` metres. */
  readonly notNear: string
  /** Of a unit, if others have one. */
  readonly noAddress: string
  readonly noMore: string
  /** Eight directions from north, clockwise, with `|` between them. */
  readonly directions: string
}

/** What the picker has already loaded. */
export interface DiscoverTools {
  readonly adoptStyles: typeof adoptStyles
  /** The direction in words. */
  readonly directionOf: (from: Point, to: Point, texts: Pick<DiscoverTexts, "directions">) => string
  readonly make: typeof make
  readonly svg: typeof svg
}

export interface DiscoverOptions {
  readonly tools: DiscoverTools
  /** Where it is shown: an element of a shadow root. */
  readonly element: HTMLElement
  /** The units around a point, nearest first: `GET /v1/widget/nearby` with the session's token. */
  readonly nearby: (at: Point, radius_m: number, signal: AbortSignal) => Promise<ReadonlyArray<NearUnit>>
  readonly texts: DiscoverTexts
  readonly position: Point
  readonly accuracy_m: number
  /** The style with streets and the frame that draws it, if there is one. By default nothing is requested from other hosts. */
  readonly streets?: Pick<StreetsOptions, "frame" | "style"> | undefined
  /** Streets cannot be shown, so the map has none. The reason is for logs. */
  readonly onNoStreets: (reason: string) => void
  readonly onPick: (unit: NearUnit) => void
  readonly onCancel: () => void
  readonly onProblem: (error: unknown) => void
}

const targetPath = "M12 2v6m0 8v6M2 12h6m8 0h6M12 6a6 6 0 1 0 0 12 6 6 0 0 0 0-12"
/** The largest radius that a session may search. */
const radius_m = 300
/** After the pin has moved: a session has 30 calls. */
const pause_ms = 350
const step_px = 16
const minZoom = 12
const maxZoom = 20

/** Shows the map in the element, until the returned function is called. */
export const mountDiscover = (options: DiscoverOptions): (() => void) => {
  const discover = new Discover(options)
  return () => discover.close()
}

class Discover {
  readonly #options: DiscoverOptions
  readonly #map: HTMLElement
  readonly #layer: SVGElement
  readonly #scale: HTMLElement
  readonly #units: HTMLElement
  readonly #heard: HTMLElement
  readonly #confirm: HTMLButtonElement
  readonly #attribution: HTMLElement
  readonly #noStreets = new Text()
  #streets: Streets | undefined
  #hasStreets = false
  readonly #observer = new ResizeObserver(() => this.#resize())
  #view: Pick<Scene, "centre" | "height" | "width" | "zoom">
  #pin: Point
  /** Whether the pin is shown at the chosen unit: after a tap, a drag or a choice, but not while arrow keys move it. */
  #isSnapped = false
  #canSnap = false
  #found: ReadonlyArray<NearUnit> = []
  #chosen: NearUnit | undefined
  /** Points of all units that were served with them. */
  readonly #points = new Map<string, Point>()
  #asking: AbortController | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: DiscoverOptions) {
    const { accuracy_m, element, onCancel, position, texts, tools: given } = options
    const { adoptStyles, make, svg } = given
    this.#options = options
    this.#layer = svg("g", {})
    this.#scale = make("span", { part: "scale", "aria-hidden": "true" })
    this.#units = make("fieldset", { part: "units" })
    this.#heard = make("p", { part: "heard", "aria-live": "polite" })
    this.#attribution = make("span", { part: "attribution" })
    this.#pin = position
    // The circle of accuracy takes most of the height.
    const zoom = within(minZoom, 18.5, zoomFor(position.lat, Math.max(accuracy_m, 40) / 90))
    this.#view = { centre: position, zoom, width: 0, height: 0 }
    this.#confirm = this.#button("confirm", texts.confirm, () => this.#pick())
    adoptStyles(element.getRootNode() as ShadowRoot, discoverStyles)
    const tools = make(
      "div",
      { part: "tools" },
      this.#button("zoom", "+", () => this.#zoom(1), texts.zoomIn),
      this.#button("zoom", "−", () => this.#zoom(-1), texts.zoomOut),
      this.#button(
        "zoom",
        svg("svg", { viewBox: "0 0 24 24" }, svg("path", { d: targetPath })),
        () => this.#home(),
        texts.locate
      )
    )
    const canvas = make(
      "div",
      { part: "map", role: "application", tabindex: "0", "aria-label": texts.map, "aria-description": texts.mapKeys },
      svg("svg", { "aria-hidden": "true" }, this.#layer),
      make("span", { part: "north", "aria-hidden": "true" }, "N"),
      this.#scale,
      this.#attribution
    )
    this.#map = canvas
    const hint = make("p", { part: "legend" }, texts.map, this.#noStreets)
    this.#noStreets.data = texts.noStreets
    const frame = make("div", { part: "frame" }, hint, canvas, tools)
    const choices = make(
      "div",
      { part: "choices" },
      this.#units,
      this.#heard,
      this.#confirm,
      this.#button("close", texts.skip, onCancel)
    )
    this.#units.addEventListener("change", ({ target }) => this.#choose((target as HTMLInputElement).value))
    element.replaceChildren(make("div", { part: "discover" }, frame, choices))
    element.hidden = false
    this.#listen()
    this.#observer.observe(canvas)
    this.#resize()
    this.#openStreets()
    this.#show()
    void this.#ask()
  }

  close(): void {
    this.#streets?.close()
    this.#observer.disconnect()
    this.#asking?.abort()
    clearTimeout(this.#timer)
    this.#options.element.replaceChildren()
    this.#options.element.hidden = true
  }

  #button(part: string, text: Node | string, onClick: () => void, label?: string): HTMLButtonElement {
    const button = this.#options.tools.make(
      "button",
      { part, type: "button", ...(label && { "aria-label": label, title: label }) },
      text
    )
    button.addEventListener("click", onClick)
    return button
  }

  /** The map works without streets, and keeps what it shows when they come or fail. */
  #openStreets(): void {
    const { onNoStreets, streets, tools } = this.#options
    if (!streets) return
    const hidden = { "aria-hidden": "true", tabindex: "-1" }
    const frame = tools.make("iframe", { part: "streets", referrerpolicy: "no-referrer", ...hidden })
    this.#map.prepend(frame)
    this.#streets = openStreets(frame, {
      ...streets,
      view: () => ({ ...this.#view.centre, zoom: this.#view.zoom }),
      onShown: (attribution) => {
        const nodes = attribution.map(({ href, text }) =>
          href ? tools.make("a", { href, target: "_blank", rel: "noopener noreferrer" }, text) : text
        )
        this.#setStreets(true, nodes)
      },
      onFailed: (reason) => {
        this.#streets = undefined
        frame.remove()
        this.#setStreets(false, [])
        onNoStreets(reason)
      }
    })
  }

  #setStreets(isShown: boolean, attribution: ReadonlyArray<Node | string>): void {
    this.#hasStreets = isShown
    this.#noStreets.data = isShown ? "" : this.#options.texts.noStreets
    this.#attribution.replaceChildren(...attribution)
    this.#draw()
  }

  /** Where the pin is shown. */
  #shownPin(): Point {
    return (this.#isSnapped && this.#chosen && this.#points.get(this.#chosen.postcode)) || this.#pin
  }

  #listen(): void {
    listenToGestures(this.#map, {
      isPin: (x, y) => {
        const [pinX, pinY] = toScreen(this.#shownPin(), this.#view)
        return Math.abs(x - pinX) < 22 && y - pinY < 10 && pinY - y < 44
      },
      onTap: (x, y) => {
        const unit = this.#unitAt(x, y)
        if (unit) this.#choose(unit)
        else this.#movePin(x, y, true)
      },
      onPinDrag: (x, y) => this.#movePin(x, y, true),
      onPan: (x, y) => this.#pan(x, y),
      onZoom: (levels, x, y) => this.#zoom(levels, x, y),
      onStep: (x, y, isPan) => {
        if (isPan) return this.#pan(-4 * step_px * x, -4 * step_px * y)
        const [pinX, pinY] = toScreen(this.#pin, this.#view)
        this.#movePin(pinX + step_px * x, pinY + step_px * y)
      },
      onHome: () => this.#home(),
      onNext: (step) => {
        const at = this.#chosen ? this.#found.indexOf(this.#chosen) + step : 0
        const unit = this.#found[at]
        if (!unit) return
        this.#choose(unit.postcode)
        this.#tell()
      },
      onConfirm: () => this.#pick()
    })
  }

  #resize(): void {
    const { clientHeight: height, clientWidth: width } = this.#map
    this.#view = { ...this.#view, height, width }
    this.#draw()
  }

  #home(): void {
    this.#view = { ...this.#view, centre: this.#options.position }
    this.#movePin(...toScreen(this.#options.position, this.#view))
  }

  #pan(x: number, y: number): void {
    const { height, width } = this.#view
    this.#view = { ...this.#view, centre: fromScreen(width / 2 - x, height / 2 - y, this.#view) }
    this.#draw()
  }

  #zoom(levels: number, x = this.#view.width / 2, y = this.#view.height / 2): void {
    const { height, width } = this.#view
    const fixed = fromScreen(x, y, this.#view)
    const zoom = within(minZoom, maxZoom, this.#view.zoom + levels)
    const [worldX, worldY] = project(fixed, zoom)
    this.#view = { ...this.#view, zoom, centre: unproject(worldX - x + width / 2, worldY - y + height / 2, zoom) }
    this.#draw()
  }

  /** Moves the pin to a pixel, and the map if the pin would leave it. Once it rests, it may snap to the nearest unit. */
  #movePin(x: number, y: number, canSnap = false): void {
    this.#pin = fromScreen(x, y, this.#view)
    this.#isSnapped = false
    this.#canSnap = canSnap
    const { height, width } = this.#view
    const [left, top] = [within(24, width - 24, x), within(48, height - 24, y)]
    if (left !== x || top !== y) this.#pan(left - x, top - y)
    this.#draw()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#ask(), pause_ms)
  }

  async #ask(): Promise<void> {
    this.#asking?.abort()
    const asking = new AbortController()
    this.#asking = asking
    const { signal } = asking
    try {
      const found = await this.#options.nearby(this.#pin, radius_m, signal)
      if (signal.aborted) return
      for (const { point_geometry, postcode } of found) {
        const [lng, lat] = point_geometry?.coordinates ?? []
        if (lat !== undefined && lng !== undefined) this.#points.set(postcode, { lat, lng })
      }
      this.#found = found
      this.#chosen = found[0]
      this.#isSnapped = this.#canSnap
      this.#show()
      if (!found[0]) this.#say(this.#options.texts.notNear.replace("{n}", `${radius_m}`))
    } catch (error) {
      if (signal.aborted) return
      this.#options.onProblem(error)
      this.#say(this.#options.texts.noMore)
    }
  }

  #unitAt(x: number, y: number): string | undefined {
    let best: string | undefined
    let nearest = 16
    for (const { postcode } of this.#found) {
      const point = this.#points.get(postcode)
      if (point === undefined) continue
      const [unitX, unitY] = toScreen(point, this.#view)
      const distance = Math.hypot(x - unitX, y - unitY)
      if (distance < nearest) [best, nearest] = [postcode, distance]
    }
    return best
  }

  #choose(postcode: string): void {
    this.#chosen = this.#found.find((unit) => unit.postcode === postcode)
    this.#isSnapped = true
    for (const input of this.#units.querySelectorAll("input")) {
      input.checked = input.value === postcode
      if (input.checked) input.scrollIntoView({ block: "nearest" })
    }
    this.#draw()
  }

  #pick(): void {
    if (this.#chosen) this.#options.onPick(this.#chosen)
  }

  /** Shows a message in place of the list's first unit. */
  #say(text: string): void {
    this.#heard.textContent = text
    this.#heard.classList.add("shown")
  }

  /** Lists the units, and tells the nearest one to those who do not see it. */
  #show(): void {
    const { texts, tools } = this.#options
    const { make } = tools
    const isAddressed = this.#found.some(({ address }) => address)
    const rows = this.#found.map((unit, index) => {
      const input = make("input", { type: "radio", name: "unit", value: unit.postcode })
      input.checked = unit === this.#chosen
      const { address, locality_name, lga_name = "" } = unit
      const name = address ?? `${locality_name ?? lga_name} ${isAddressed ? `(${texts.noAddress})` : ""}`
      const words = make("span", {}, make("span", { part: "name" }, name), " ")
      words.append(make("span", { part: "code", dir: "ltr" }, unit.display), " ")
      words.append(make("span", { part: "distance" }, this.#distance(unit)))
      if (this.#points.has(unit.postcode)) {
        words.prepend(make("span", { part: "number", "aria-hidden": "true" }, `${index + 1}`), " ")
      }
      return make("label", {}, input, words)
    })
    this.#units.replaceChildren(make("legend", { part: "legend" }, `${texts.around} (${rows.length})`), ...rows)
    this.#units.scrollTop = 0
    this.#units.hidden = rows.length === 0
    this.#confirm.disabled = this.#chosen === undefined
    this.#tell()
    this.#draw()
  }

  /** The chosen unit, for those who do not see it. */
  #tell(): void {
    const chosen = this.#chosen
    this.#heard.classList.remove("shown")
    this.#heard.textContent = chosen
      ? [chosen.display, this.#distance(chosen), chosen.address].filter(Boolean).join(", ")
      : ""
  }

  /** `12 m north-east`: the direction only where the unit's point is served. */
  #distance({ distance_m, postcode }: NearUnit): string {
    const point = this.#points.get(postcode)
    const length = `${Math.round(distance_m)} m`
    if (point === undefined || distance_m < 1) return length
    return `${length} ${this.#options.tools.directionOf(this.#pin, point, this.#options.texts)}`
  }

  #draw(): void {
    const { accuracy_m, position, tools } = this.#options
    const chosen = this.#chosen
    const points = this.#found.flatMap((unit, index) => {
      const point = this.#points.get(unit.postcode)
      return point ? [{ point, isChosen: unit === chosen, number: index + 1 }] : []
    })
    const ring_m = chosen && !this.#points.has(chosen.postcode) ? chosen.distance_m : undefined
    drawMap(this.#layer, {
      ...this.#view,
      svg: tools.svg,
      accuracy_m,
      hasStreets: this.#hasStreets,
      pin: this.#shownPin(),
      place: this.#pin,
      points,
      position,
      ring_m
    })
    this.#streets?.move()
    const { length_m, width_px } = scaleBar(this.#view, 100)
    this.#scale.textContent = lengthOf(length_m)
    this.#scale.style.inlineSize = `${width_px}px`
  }
}

const within = (low: number, high: number, value: number): number => Math.max(low, Math.min(high, value))
