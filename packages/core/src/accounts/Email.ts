/** Email addresses: which texts are one, and the one spelling of each. */

/** The address in lower case, in Unicode's normal form C and without white space around it; undefined if it is none. */
export const parseEmail = (raw: string): string | undefined => {
  const text = raw.trim()
  // To change the case or the form changes the length, and what a character is. So what comes out is looked at.
  const normalized = text.length <= longestRaw ? text.toLowerCase().normalize("NFC") : ""
  const isEmail = normalized.length <= maximumLength && pattern.test(normalized) && !unclear.test(normalized)
  return isEmail ? normalized : undefined
}

/** RFC 5321 allows no longer path. */
const maximumLength = 254
/** A letter may be written as many characters that become one. */
const longestRaw = 4 * maximumLength
const pattern = /^[^\s@"(),:;<>[\\\]]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/
/**
 * Half of a surrogate pair, and what a decoder puts in place of what it cannot read, stand for many characters: whoever
 * they are of would be one. Control characters are nobody's.
 */
const unclear = /[\p{Cc}\p{Cs}\uFFFD]/u
