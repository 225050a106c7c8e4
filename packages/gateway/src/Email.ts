/** Validation and canonical form of email addresses. */
import { accountLimits } from "./InputLimits.ts"

/** The address in lower case, in Unicode normal form C, without surrounding white space; undefined if it is invalid. */
export const parseEmail = (raw: string): string | undefined => {
  const text = raw.trim()
  // Changing case and form can change length and characters, so the result is validated.
  const normalized = text.length <= maxRawLength ? text.toLowerCase().normalize("NFC") : ""
  const isEmail = normalized.length <= accountLimits.email && pattern.test(normalized) && !unclear.test(normalized)
  return isEmail ? normalized : undefined
}

/** Before normalization a letter may consist of several characters. */
const maxRawLength = 4 * accountLimits.email
const pattern = /^[^\s@"(),:;<>[\\\]]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/
/**
 * Lone surrogates and the replacement character stand for many characters, so different addresses would be equal.
 * Control characters are invalid.
 */
const unclear = /[\p{Cc}\p{Cs}\uFFFD]/u
