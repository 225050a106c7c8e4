/** Letters and digits that look alike. */

/** A digit and the letter that is often written for it, or read in its place. `parseLenient` changes only these. */
export const lookAlikePairs: ReadonlyArray<string> = ["0O", "1I", "5S", "8B"]

/** All groups of look-alikes, for suggestions. */
export const lookAlikes: ReadonlyArray<string> = [...lookAlikePairs, "1L", "IL", "2Z", "6G"]
