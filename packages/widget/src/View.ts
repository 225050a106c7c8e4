/** The nodes of the shadow root. They are created once and hidden when not needed. */
import { adoptStyles } from "./styles.ts"

/** The nodes of a picker. */
export interface View {
  readonly root: ShadowRoot
  readonly label: HTMLLabelElement
  /** Skips the identification, or returns to it. */
  readonly aside: HTMLButtonElement
  readonly field: HTMLDivElement
  readonly identifier: HTMLInputElement
  readonly proceed: HTMLButtonElement
  readonly input: HTMLInputElement
  readonly locate: HTMLButtonElement
  readonly list: HTMLUListElement
  /** The typed text by segment. */
  readonly slots: ReadonlyArray<HTMLSpanElement>
  readonly slotRow: HTMLDivElement
  readonly status: HTMLParagraphElement
}

/** Creates the nodes in the host's shadow root. */
export const makeView = (host: HTMLElement): View => {
  const root = host.attachShadow({ mode: "open", delegatesFocus: true })
  adoptStyles(root)
  const plain = { spellcheck: "false", autocomplete: "off", class: "input" }
  const label = make("label", { part: "label", for: "input" })
  const aside = make("button", { part: "aside", type: "button" })
  const identifier = make("input", { ...plain, id: "identifier", part: "input identifier", autocapitalize: "none" })
  const proceed = make("button", { part: "continue", type: "button" })
  const list = make("ul", { part: "list", id: "list", role: "listbox", tabindex: "-1" })
  const input = make("input", {
    ...plain,
    id: "input",
    part: "input",
    dir: "ltr",
    autocapitalize: "characters",
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-controls": "list"
  })
  const locate = make("button", { part: "locate", type: "button" }, targetIcon())
  const field = make("div", { part: "field" }, identifier, proceed, input, locate, list)
  const slots = Array.from({ length: 5 }, () => make("span", { part: "slot" }))
  const slotRow = make("div", { part: "slots", dir: "ltr", "aria-hidden": "true" }, ...slots)
  const status = make("p", { part: "status", role: "status", tabindex: "-1" })
  root.append(make("div", { part: "head" }, label, aside), field, make("div", { part: "foot" }, slotRow, status))
  return { root, label, aside, field, identifier, proceed, input, locate, list, slots, slotRow, status }
}

/** A new node with attributes and children. */
export const make = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>>,
  ...children: ReadonlyArray<Node | string>
): HTMLElementTagNameMap[K] => {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

const targetIcon = (): SVGElement => {
  const namespace = "http://www.w3.org/2000/svg"
  const icon = document.createElementNS(namespace, "svg")
  icon.setAttribute("viewBox", "0 0 24 24")
  icon.setAttribute("aria-hidden", "true")
  const path = document.createElementNS(namespace, "path")
  path.setAttribute("d", "M12 2v4m0 12v4M2 12h4m12 0h4M12 6a6 6 0 1 0 0 12 6 6 0 0 0 0-12m0 4.5v3M10.5 12h3")
  icon.append(path)
  return icon
}
