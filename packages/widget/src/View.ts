/** The nodes of the shadow root. They are created once and hidden when not needed. */
import { adoptStyles } from "./styles.ts"

/** The nodes of a picker. */
export interface View {
  readonly root: ShadowRoot
  readonly label: HTMLLabelElement
  readonly field: HTMLDivElement
  readonly input: HTMLInputElement
  readonly list: HTMLUListElement
  /** Holds list and actions: at its place while the list is closed, and in the top layer while it is open. */
  readonly drop: HTMLDivElement
  /** The other ways to a postcode; `done` takes their place after a selection. */
  readonly actions: HTMLDivElement
  readonly locate: HTMLButtonElement
  readonly saved: HTMLButtonElement
  readonly unlisted: HTMLButtonElement
  readonly done: HTMLDivElement
  /** The place of the selection. */
  readonly place: HTMLSpanElement
  readonly change: HTMLButtonElement
  /** Filled by what is opened on demand: the identification, or a map. */
  readonly panel: HTMLDivElement
  readonly status: HTMLParagraphElement
  /** Never shown: it reports an input of the page in the picker. */
  readonly slot: HTMLSlotElement
}

/** Creates the nodes in the host's shadow root. */
export const makeView = (host: HTMLElement): View => {
  const root = host.attachShadow({ mode: "open", delegatesFocus: true })
  adoptStyles(root)
  const label = make("label", { part: "label", for: "input" })
  const list = make("ul", { part: "list", id: "list", role: "listbox", tabindex: "-1", hidden: "" })
  const input = make("input", {
    id: "input",
    part: "input",
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "words",
    enterkeyhint: "search",
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-controls": "list",
    "aria-expanded": "false",
    "aria-describedby": "status"
  })
  const locate = make("button", { part: "locate", type: "button" }, icon("pin", pinPath), "")
  const saved = make("button", { part: "saved", type: "button" })
  const unlisted = make("button", { part: "unlisted", type: "button" })
  const actions = make("div", { part: "actions" }, locate, saved, unlisted)
  const drop = make("div", { part: "drop", popover: "manual" }, list, actions)
  const field = make("div", { part: "field" }, input, drop)
  const place = make("span", { part: "place" })
  const change = make("button", { part: "change", type: "button" })
  const done = make("div", { part: "done", hidden: "" }, icon("tick", "m5 12.5 5 5L19 7"), place, change)
  const panel = make("div", { part: "panel", hidden: "" })
  const status = make("p", { part: "status", id: "status", role: "status", tabindex: "-1" })
  const slot = make("slot", { hidden: "" })
  root.append(label, field, done, panel, status, slot)
  const ways = { actions, locate, saved, unlisted }
  return { ...ways, root, label, field, input, list, drop, done, place, change, panel, status, slot }
}

/** A new node with attributes and children. */
export const make = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes,
  ...children: ReadonlyArray<Node | string>
): HTMLElementTagNameMap[K] => filled(document.createElement(tag), attributes, children)

/** The same of a drawing. */
export const svg = (tag: string, attributes: Attributes, ...children: ReadonlyArray<Node | string>): SVGElement =>
  filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children)

type Attributes = Readonly<Record<string, string | number>>

const filled = <E extends Element>(element: E, attributes: Attributes, children: ReadonlyArray<Node | string>): E => {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, `${value}`)
  element.append(...children)
  return element
}

const pinPath = "M12 2v4m0 12v4M2 12h4m12 0h4M12 6a6 6 0 1 0 0 12 6 6 0 0 0 0-12"

const icon = (part: string, d: string): SVGElement =>
  svg("svg", { part, viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d }))
