/** Postcodes in the command palette. */

/**
 * The directory screen of a typed postcode, or of its first segments in any format; undefined if the text does not look
 * like one.
 */
export const directoryPath = (typed: string): string | undefined => {
  const compact = typed.toUpperCase().replace(/[\s-]/g, "")
  return /^[A-Z]{2}\d{2}([A-Z]\d{2}([A-Z]{2}\d{0,2})?)?$/.test(compact)
    ? `/directory?${new URLSearchParams({ q: typed.trim() })}`
    : undefined
}
