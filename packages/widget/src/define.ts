/** Makes `<postcode-picker>` known to the page by being imported. */
import { createPicker, definePicker } from "./createPicker.ts"

definePicker()

export { createPicker }
