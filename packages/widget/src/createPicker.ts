/** Creates pickers in code. */
import type { PostcodeSelection } from "@postcode/core/Selection"
import type { Messages } from "./languages/Messages.ts"
import { type PickerAttributes, PostcodePicker } from "./PostcodePicker.ts"
import type { Problem } from "./session/Request.ts"

/** Initial properties and event handlers. */
export interface PickerOptions extends Partial<PickerAttributes> {
  readonly value?: string
  readonly lang?: string
  readonly messages?: Partial<Messages>
  readonly onSelect?: (selection: PostcodeSelection) => void
  readonly onProblem?: (problem: Problem) => void
}

const tagName = "postcode-picker"

/** Defines `<postcode-picker>`. Does nothing if it is defined, or on a server. */
export const definePicker = (): void => {
  const elements: CustomElementRegistry | undefined = globalThis.customElements
  if (elements?.get(tagName) === undefined) elements?.define(tagName, PostcodePicker)
}

/** Creates a detached picker: `form.append(createPicker({ gateway: "https://…", name: "postcode" }))`. */
export const createPicker = ({ onProblem, onSelect, ...properties }: PickerOptions = {}): PostcodePicker => {
  definePicker()
  const picker = document.createElement(tagName)
  Object.assign(picker, properties)
  if (onSelect) picker.addEventListener("postcode-select", ({ detail }) => onSelect(detail))
  if (onProblem) picker.addEventListener("postcode-problem", ({ detail }) => onProblem(detail))
  return picker
}
