/** What React and the DOM know of the element. Never run: it has to compile, and the lines that expect an error to fail. */
import { createRef } from "react"
import { PostcodePicker, type PostcodePickerElement } from "../src/react.ts"

const picker = createRef<PostcodePickerElement>()

export const right = (
  <PostcodePicker
    ref={picker}
    id="where"
    className="field"
    aria-describedby="help"
    data-test="where"
    gateway="https://gateway.example"
    publishableKey="svc_pk_"
    until="lga"
    required="unit"
    onSelect={({ segments }) => segments.state}
    onProblem={({ code }) => code}
    onInput={({ currentTarget }) => currentTarget.value}
    onFocus={({ currentTarget }) => currentTarget.validity}
  >
    <input name="postcode" />
  </PostcodePicker>
)

// @ts-expect-error there is no such segment
export const wrong = <PostcodePicker until="town" />

// @ts-expect-error there is no such attribute
export const misspelled = <PostcodePicker gatway="https://gateway.example" />

// @ts-expect-error a selection is not an event
export const noEvent = <PostcodePicker onSelect={(event: Event) => event.target} />

// @ts-expect-error the ref is the element
export const otherRef = <PostcodePicker ref={createRef<HTMLInputElement>()} />

export const inDom = (): string => {
  const picker = document.createElement("postcode-picker")
  picker.addEventListener("postcode-select", ({ detail }) => detail.formatted)
  picker.addEventListener("postcode-problem", ({ detail }) => detail.status)
  return picker.value
}
