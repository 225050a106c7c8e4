/** The id of a request in answers, logs and the ledger. */
import { randomUUID } from "node:crypto"
import { containsKey } from "@postcode/gateway/keys/ApiKey"
import { Secrets } from "@postcode/gateway/store/Secrets"
import { Effect, Redacted } from "effect"

/**
 * The id of each request: as sent if it is valid, otherwise a new one. The operator token, sent as an id by mistake, is
 * replaced.
 */
export const requestIds = (
  operatorToken: Redacted.Redacted<string>
): Effect.Effect<(sent: string | undefined) => string, never, Secrets> =>
  Effect.map(Secrets, ({ hash }) => {
    const { length } = Redacted.value(operatorToken)
    const hashOfToken = hash(operatorToken)
    // Comparing hashes reveals nothing by its timing.
    const isToken = (id: string): boolean => id.length === length && hash(Redacted.make(id)) === hashOfToken
    return (sent) => {
      const id = validRequestId(sent)
      return id === undefined || isToken(id) ? randomUUID() : id
    }
  })

/**
 * An id as sent, if it is valid: 1 to 64 characters of `[A-Za-z0-9._:-]`. Ids are logged and stored, so they may
 * contain neither an API key nor eleven separate digits, which may be a national identification number.
 */
export const validRequestId = (sent: string | undefined): string | undefined =>
  sent !== undefined && idPattern.test(sent) && !identificationNumber.test(sent) && !containsKey(sent)
    ? sent
    : undefined

const idPattern = /^[A-Za-z0-9._:-]{1,64}$/

const identificationNumber = /(?<![A-Za-z0-9])[0-9]{11}(?![A-Za-z0-9])/
