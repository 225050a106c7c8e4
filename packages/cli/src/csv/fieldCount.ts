/** The error message of a row with the wrong number of fields. */

/** `1 field`, `3 fields`. */
export const fieldCount = (count: number): string => (count === 1 ? "1 field" : `${count} fields`)

/** Adds the most likely reason if there are too many. */
export const otherFieldCount = (count: number, expected: number): string =>
  `the row has ${fieldCount(count)} where ${expected} ${expected === 1 ? "is" : "are"} expected` +
  (count > expected ? ": perhaps one contains the delimiter and is not in quotes" : "")
