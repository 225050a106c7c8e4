/** What forms and spreadsheets write into a field that has no value. */

/** Whether a text says that there is nothing: `N/A`, `NULL`, `nil`, `-`, `?`. */
export const isWordForNothing = (text: string): boolean => nothing.test(text.trim())

const nothing =
  /^(?:n\s?[/.\\]?\s?a\.?|#n\/a|null|nil|none|nan|undefined|not (?:applicable|available|known)|unknown|empty|0+|[-–—.?*_~/\\\s]+)$/iu
