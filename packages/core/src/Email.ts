/** Email addresses: which texts are one, and the one spelling of each. */

/** The address in lower case, in Unicode's normal form C and without white space around it; undefined if it is none. */
export const parseEmail = (raw: string): string | undefined => {
  const text = raw.trim()
  return text.length <= maximumLength && pattern.test(text) ? text.toLowerCase().normalize("NFC") : undefined
}

/** RFC 5321 allows no longer path. */
const maximumLength = 254
const pattern = /^[^\s@"(),:;<>[\\\]]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i
