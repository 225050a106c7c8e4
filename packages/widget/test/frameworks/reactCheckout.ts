/** A checkout in React: the picker and the fields that it fills are controlled, in strict mode. Without JSX, as for React 17. */
import { createElement, StrictMode, useState } from "react"
import { PostcodePicker, type PostcodePickerProps } from "../../src/react.ts"
import { settings } from "./settings.ts"

/** The checkout; `mount` differs between versions. */
export const checkout = () => createElement(StrictMode, null, createElement(Checkout))

const Checkout = () => {
  const [code, setCode] = useState("")
  const [picked, setPicked] = useState<ReadonlyArray<string>>([])
  const props: PostcodePickerProps = {
    ...settings(),
    name: "postcode",
    value: code,
    onInput: ({ currentTarget }) => setCode(currentTarget.value),
    onSelect: ({ formatted }) => setPicked((before) => [...before, formatted])
  }
  return createElement(
    "form",
    null,
    createElement(PostcodePicker, props),
    ...["street", "lga", "state"].map((id) => createElement(Field, { id, key: id })),
    createElement("output", { id: "model" }, code),
    createElement("output", { id: "picked" }, picked.join(" "))
  )
}

const Field = ({ id }: { readonly id: string }) => {
  const [text, setText] = useState("")
  return createElement("input", { id, value: text, onChange: ({ target }) => setText(target.value) })
}
