/** A checkout of React that a server renders and a browser takes over, as Next.js does it. */
import { createElement, useState } from "react"
import { PostcodePicker } from "../../src/react.ts"

interface CheckoutSettings {
  readonly gateway: string
  readonly platform: string
  readonly publishableKey: string
}

export const ServerCheckout = (settings: CheckoutSettings) => {
  const [picked, setPicked] = useState("none")
  return createElement(
    "form",
    null,
    createElement(PostcodePicker, {
      ...settings,
      autoComplete: "postal-code",
      className: "field",
      defaultValue: "LA-11",
      messages: { hint: "Where to?" },
      name: "postcode",
      onSelect: ({ formatted }) => setPicked(formatted),
      readOnly: false,
      required: true
    }),
    createElement("output", { id: "picked" }, picked)
  )
}
