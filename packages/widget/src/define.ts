/** Makes `<postcode-picker>` known to the page by being imported. */
import { definePicker } from "./createPicker.ts"

export * from "./index.ts"

definePicker()
