/**
 * An end user's identifier: an 11-digit national identification number (NIN) or an email address.
 *
 * The raw identifier exists only from the edge, where it is redacted, to the keyed hash that all other code uses. Error
 * messages never contain it.
 */
import { Redacted, Result } from "effect"
import { parseEmail } from "../accounts/Email.ts"
import { InvalidParameter } from "../Errors.ts"

/**
 * The canonical form of an identifier, which is hashed: the digits, or the address in lower case and, with letters
 * beyond ASCII, in Unicode normal form C. The function is idempotent.
 *
 * @param parameter name of the input in errors
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
