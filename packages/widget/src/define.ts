/** Defines `<postcode-picker>` when it is imported. */
import { createPicker, definePicker } from "./createPicker.ts"

definePicker()

export { createPicker }
