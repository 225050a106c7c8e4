/**
 * How an end user is named: an 11-digit national identification number (NIN) or an email address.
 *
 * The raw identifier lives only between the edge, where it is wrapped as redacted, and the keyed hash that everything
 * else works with. No message holds it.
 */
import { Redacted, Result } from "effect"
import { InvalidParameter } from "./Errors.ts"

/**
 * The one spelling of an identifier that is hashed: digits alone, or the address in lower case and, where it holds
 * letters beyond ASCII, in Unicode's normal form C. It is the same for all spellings of a letter, and is its own.
 *
 * @param parameter what to call the input in an error
 */
export const normalizeIdentifier = (
  raw: Redacted.Redacted<string>,
  parameter: string
): Result.Result<Redacted.Redacted<string>, InvalidParameter> => {
  const text = Redacted.value(raw).trim()
  // To change the case or the form changes the length, and what a character is. So what comes out is looked at.
  const normalized = text.length <= longestRaw ? text.toLowerCase().normalize("NFC") : ""
  if (ninPattern.test(normalized) || isEmail(normalized)) return Result.succeed(Redacted.make(normalized))
  return Result.fail(
    new InvalidParameter({ parameter, message: `${parameter}: expected an 11-digit NIN or an email address` })
  )
}

const ninPattern = /^[0-9]{11}$/
/** RFC 5321 allows no longer path. */
const maximumEmailLength = 254
/** A letter may be written as many characters that become one. */
const longestRaw = 4 * maximumEmailLength
const emailPattern = /^[^\s@"(),:;<>[\\\]]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/
/**
 * Half of a surrogate pair, and what a decoder puts in place of what it cannot read, stand for many characters: whoever
 * they are of would be one. Control characters are nobody's.
 */
const unclear = /[\p{Cc}\p{Cs}\uFFFD]/u

const isEmail = (text: string): boolean =>
  text.length <= maximumEmailLength && emailPattern.test(text) && !unclear.test(text)
