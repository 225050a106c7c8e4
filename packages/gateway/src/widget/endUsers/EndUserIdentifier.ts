/**
 * An end user's identifier: an 11-digit national identification number (NIN) or an email address.
 *
 * The raw identifier exists only from the edge, where it is redacted, to the keyed hash that all other code uses. Error
 * messages never contain it.
 */
import { Redacted, Result } from "effect"
import { parseEmail } from "../../Email.ts"
import { InvalidParameter } from "../../Errors.ts"

/** The kind of an identifier. Each identifier is of one kind, so a client need not send it. */
export type IdentifierType = "nin" | "email"

/** All kinds of identifiers. */
export const identifierTypes: ReadonlyArray<IdentifierType> = ["nin", "email"]

/**
 * The canonical form of a session's identifier; undefined without one.
 *
 * @param type the kind that the client sent with it. Fails if the identifier is missing or of the other kind.
 */
export const readIdentifier = (
  raw: Redacted.Redacted<string> | undefined,
  type: IdentifierType | undefined
): Result.Result<Redacted.Redacted<string> | undefined, InvalidParameter> => {
  if (raw === undefined) return type === undefined ? Result.succeed(undefined) : Result.fail(typeWithoutIdentifier)
  return Result.flatMap(normalizeIdentifier(raw, "identifier"), (normalized) =>
    type === undefined || type === typeOf(normalized) ? Result.succeed(normalized) : Result.fail(otherType[type])
  )
}

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

/** @param normalized from `normalizeIdentifier` */
const typeOf = (normalized: Redacted.Redacted<string>): IdentifierType =>
  ninPattern.test(Redacted.value(normalized)) ? "nin" : "email"

const invalidType = (message: string) =>
  new InvalidParameter({ parameter: "identifier_type", message: `identifier_type: ${message}` })

const typeWithoutIdentifier = invalidType("expected an identifier with it: send both, or neither")

const otherType: Readonly<Record<IdentifierType, InvalidParameter>> = {
  nin: invalidType("nin contradicts the identifier, which is an email address: send email, or leave it out"),
  email: invalidType("email contradicts the identifier, which is an 11-digit NIN: send nin, or leave it out")
}

const ninPattern = /^[0-9]{11}$/
