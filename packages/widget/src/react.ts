/** The type of `<postcode-picker>` in JSX: `import type {} from "@postcode/widget/react"`. */
import type { DetailedHTMLProps, HTMLAttributes } from "react"
import type { PickerEventMap, PostcodePicker } from "./PostcodePicker.ts"

/** The attributes and events of `<postcode-picker>` in JSX. */
export interface PostcodePickerProps extends DetailedHTMLProps<HTMLAttributes<PostcodePicker>, PostcodePicker> {
  "publishable-key"?: string
  gateway?: string
  platform?: string
  name?: string
  label?: string
  until?: "state" | "lga" | "district" | "area" | "unit"
  fill?: string
  saved?: boolean
  discover?: boolean
  tiles?: string
  "tiles-attribution"?: string
  "map-style"?: string
  required?: boolean
  disabled?: boolean
  readonly?: boolean
  placeholder?: string
  autocomplete?: string
  value?: string
  "onpostcode-select"?: (event: PickerEventMap["postcode-select"]) => void
  "onpostcode-problem"?: (event: PickerEventMap["postcode-problem"]) => void
}

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "postcode-picker": PostcodePickerProps
    }
  }
}
