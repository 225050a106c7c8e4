/** What forms, spreadsheets and databases write into a field that has no value. */

/** Whether a text says that there is nothing: `N/A`, `NULL`, `nil`, `#REF!`, `-`, `?`. */
export const isWordForNothing = (text: string): boolean => nothing.test(text.trim())

const nothing =
  /^(?:n\s?[/.\\]?\s?a\.?|\(?null\)?|nil|none|nan|undefined|not (?:applicable|available|known)|unknown|empty|\\n|#(?:n\/a|null!|ref!|value!|name\?|div\/0!|num!|error!|spill!|calc!|busy!)|loading\.{3}|[-–—.?*_~/\\\s]+)$/iu
