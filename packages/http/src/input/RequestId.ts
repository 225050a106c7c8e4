/** The id that follows a request through answers, logs and the ledger. */
import { randomUUID } from "node:crypto"
import { containsKey } from "@postcode/core/ApiKey"
import { Secrets } from "@postcode/core/store/Secrets"
import { Effect, Redacted } from "effect"

/**
 * The id of each request: as it came in, if it may be kept, else a new one. The operator's token, sent as an id by
 * mistake, is not kept.
 */
export const requestIds = (
  operatorToken: Redacted.Redacted<string>
): Effect.Effect<(sent: string | undefined) => string, never, Secrets> =>
  Effect.map(Secrets, ({ hash }) => {
    const { length } = Redacted.value(operatorToken)
    const hashOfToken = hash(operatorToken)
    // Hashes are compared, so the time taken says nothing about how much of a guess was right.
    const isToken = (id: string): boolean => id.length === length && hash(Redacted.make(id)) === hashOfToken
    return (sent) => {
      const id = validRequestId(sent)
      return id === undefined || isToken(id) ? randomUUID() : id
    }
  })

/**
 * An id as it came in, if it is one that may be kept: 1 to 64 characters of `[A-Za-z0-9._:-]`. Ids are written down, so
 * none may hold an API key, or eleven digits on their own, which is how a national identification number looks.
 */
export const validRequestId = (sent: string | undefined): string | undefined =>
  sent !== undefined && idPattern.test(sent) && !identificationNumber.test(sent) && !containsKey(sent)
    ? sent
    : undefined

const idPattern = /^[A-Za-z0-9._:-]{1,64}$/

const identificationNumber = /(?<![A-Za-z0-9])[0-9]{11}(?![A-Za-z0-9])/
