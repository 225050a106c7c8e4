/**
 * How an end user is named: an 11-digit national identification number (NIN) or an email address.
 *
 * The raw identifier lives only between the edge, where it is wrapped as redacted, and the keyed hash that everything
 * else works with. No message holds it.
 */
import { Redacted, Result } from "effect"
import { parseEmail } from "../accounts/Email.ts"
import { InvalidParameter } from "../Errors.ts"

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
  if (ninPattern.test(text)) return Result.succeed(Redacted.make(text))
  const email = parseEmail(text)
  if (email !== undefined) return Result.succeed(Redacted.make(email))
  return Result.fail(
    new InvalidParameter({ parameter, message: `${parameter}: expected an 11-digit NIN or an email address` })
  )
}

const ninPattern = /^[0-9]{11}$/
