/** What JSX and the DOM know of the element. Never run: it has to compile, and the lines that expect an error to fail. */
import type {} from "../src/react.ts"

export const right = (
  <postcode-picker
    gateway="https://gateway.example"
    publishable-key="svc_pk_"
    until="lga"
    required
    onpostcode-select={({ detail }) => detail.segments.state}
    onpostcode-problem={({ detail }) => detail.code}
  />
)

// @ts-expect-error there is no such segment
export const wrong = <postcode-picker until="town" />

export const inDom = (): string => {
  const picker = document.createElement("postcode-picker")
  picker.addEventListener("postcode-select", ({ detail }) => detail.formatted)
  picker.addEventListener("postcode-problem", ({ detail }) => detail.status)
  return picker.value
}
