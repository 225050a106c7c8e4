/** What is said of a row that has another number of fields than the header. */

/** `1 field`, `3 fields`. */
export const fieldCount = (count: number): string => (count === 1 ? "1 field" : `${count} fields`)

/** Also names what is mostly the reason where there are too many. */
export const otherFieldCount = (count: number, expected: number): string =>
  `the row has ${fieldCount(count)} where ${expected} ${expected === 1 ? "is" : "are"} expected` +
  (count > expected ? ": perhaps one holds a comma and no quotes around" : "")
