/**
 * The form for an address that is not listed: what the user knows of it goes with the page's form. Loaded at the first
 * focus, so that it opens without a connection; it imports no other chunk.
 */
import type { OpenForm } from "./Form.ts"
import type { Messages } from "./languages/Messages.ts"
import type { SavedForm } from "./Saved.ts"
import type { Choice } from "./session/Search.ts"
import type { Code } from "./TypedCode.ts"
import type { make as makeNode } from "./View.ts"

/** The picker around the form. */
export interface UnlistedListener {
  /** What the user has typed before. */
  readonly typed: string
  /** The states, or the LGAs of a state. */
  readonly placesIn: (code: string) => Promise<ReadonlyArray<Choice>>
  readonly onTake: (choice: Choice) => void
  readonly onCancel: () => void
}

/** Shows the form and focuses it. */
export const openUnlisted = (
  openForm: OpenForm,
  make: typeof makeNode,
  messages: Messages,
  { onCancel, onTake, placesIn, typed }: UnlistedListener
): SavedForm => {
  const [line, landmark] = [make("input", { id: "line" }), make("input", { id: "landmark" })]
  const [state, lga] = [make("select", { id: "state" }), make("select", { id: "lga" })]
  const rows = [line, state, lga, landmark].map((control) => {
    control.part.add("input")
    return [make("label", { for: control.id }), control] as const
  })
  // Until the states have arrived, and without a connection, the form asks for lines alone.
  const showPlaces = () => {
    for (const nodes of rows.slice(1, 3)) for (const node of nodes) node.hidden = state.options.length === 0
  }
  const fillSelect = async (select: HTMLSelectElement, code: string) => {
    const places = await placesIn(code).catch(() => [])
    const options = places.map(({ code, label }) => make("option", { value: code }, label))
    select.replaceChildren(...(options.length > 0 ? [make("option", { value: "" }), ...options] : []))
    showPlaces()
  }
  const submit = () => {
    const missing = [line, state, lga].find((control) => !control.hidden && control.value.trim() === "")
    for (const control of [line, state, lga]) control.ariaInvalid = control === missing ? "true" : null
    if (missing) missing.focus()
    else onTake(choiceOf(line, landmark, state, lga))
  }
  state.addEventListener("change", () => void fillSelect(lga, state.value))
  const { cancel, close, proceed, title } = openForm(rows.flat(), submit, onCancel)
  const render = (next: Messages) => {
    title.textContent = next.unlisted
    for (const [label] of rows) label.textContent = next[label.htmlFor as "landmark" | "lga" | "line" | "state"]
    proceed.textContent = next.useAddress
    cancel.textContent = next.skip
  }
  render(messages)
  line.value = typed
  showPlaces()
  line.focus()
  void fillSelect(state, "")
  return { render, close }
}

const choiceOf = (
  line: HTMLInputElement,
  landmark: HTMLInputElement,
  state: HTMLSelectElement,
  lga: HTMLSelectElement
): Choice => {
  const nameOf = ({ selectedOptions, value }: HTMLSelectElement) => (value && selectedOptions[0]?.text) || null
  const names = { state: nameOf(state), lga: nameOf(lga) }
  const near = landmark.value.trim()
  const address = line.value.trim() + (near && ` (${near})`)
  const label = [address, names.lga, names.state].filter(Boolean).join(", ")
  return {
    code: (lga.value || state.value) as Code,
    label,
    text: label,
    address,
    names,
    status: "unlisted",
    source: "search"
  }
}
