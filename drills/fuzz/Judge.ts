/** What is wrong with an answer, by the conventions, by the contract's schemas, and by the service's own description. */
import { faultsOf, type Received, type Sent } from "@postcode/conformance/wire"
import type { Interface } from "./requests/Interface.ts"
import { mark, markedDigits } from "./requests/Known.ts"
import { worksOnPasswords } from "./requests/OperationRequests.ts"

/** @returns each fault in words */
export const judge = (described: Interface, sent: Sent, received: Received): ReadonlyArray<string> => {
  const path = sent.target.split("?")[0] as string
  const { status } = received
  const operation = described.find(sent.method, path)
  const hasJson = sent.method !== "HEAD" && status !== 204 && status !== 304
  const refuted =
    operation !== undefined && hasJson && status !== 405 ? operation.refute(status, parsed(received.text)) : undefined
  return [
    ...(path === hostedPage ? [] : faultsOf(sent, received)),
    ...(refuted === undefined ? [] : [refuted]),
    ...faultsOfStatus(status, path),
    ...faultsOfSecrets(sent, received)
  ]
}

/** The widget's page, of which the contract knows nothing. */
const hostedPage = "/v1/widget/embed"

const faultsOfStatus = (status: number, path: string): ReadonlyArray<string> => {
  if (status < 500) return []
  // So many may wait for their password to be worked on, and no more.
  return status === 503 && worksOnPasswords({ path }) ? [] : [`${status}: the service may fail at nothing that is sent`]
}

const faultsOfSecrets = (sent: Sent, { headers, text }: Received): ReadonlyArray<string> => {
  const everything = `${Object.values(headers).join("\n")}\n${text}`
  const key = sent.headers["x-api-key"] ?? ""
  return [
    ...(everything.includes(mark) || everything.includes(markedDigits) ? ["a secret that was sent is answered"] : []),
    ...(key.length >= 20 && everything.includes(key) ? ["the key that was sent is answered"] : [])
  ]
}

/** What may stand in no line that the service writes: a key, a token, a password, an identifier, a cookie. */
export const secretPattern = new RegExp(
  `svc_(?:test|live|pk|mk)_[0-9A-Za-z]{20}|${mark}|${markedDigits}|eyJ[\\w-]{10}|__Host-|[Bb]earer |an-operator-token`
)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
