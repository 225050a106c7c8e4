/** Pickers made by a program. */
import type { PostcodeSelection } from "@postcode/core/Selection"
import type { Messages } from "./Messages.ts"
import { type PickerAttributes, PostcodePicker } from "./PostcodePicker.ts"
import type { Problem } from "./Request.ts"

/** What a picker begins with, and who is told of what. */
export interface PickerOptions extends Partial<PickerAttributes> {
  readonly required?: boolean
  readonly disabled?: boolean
  readonly value?: string
  readonly lang?: string
  readonly messages?: Partial<Messages>
  readonly onSelect?: (selection: PostcodeSelection) => void
  readonly onProblem?: (problem: Problem) => void
}

const tagName = "postcode-picker"

/** Makes `<postcode-picker>` known to the page. Does nothing a second time, nor where there are no elements. */
export const definePicker = (): void => {
  const elements: CustomElementRegistry | undefined = globalThis.customElements
  if (elements?.get(tagName) === undefined) elements?.define(tagName, PostcodePicker)
}

/** A picker that is in no page yet: `form.append(createPicker({ gateway: "https://…", name: "postcode" }))`. */
export const createPicker = ({ onProblem, onSelect, ...properties }: PickerOptions = {}): PostcodePicker => {
  definePicker()
  const picker = document.createElement(tagName)
  Object.assign(picker, properties)
  if (onSelect) picker.addEventListener("postcode-select", ({ detail }) => onSelect(detail))
  if (onProblem) picker.addEventListener("postcode-problem", ({ detail }) => onProblem(detail))
  return picker
}
