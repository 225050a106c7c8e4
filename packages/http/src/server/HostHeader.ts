/** Which Host headers a request may have: RFC 9112, section 3.2. */
import type { IncomingMessage } from "node:http"
import { type Failure, InvalidRequest, toFailure } from "../pipeline/ErrorTable.ts"

/**
 * The fault in the Host headers of a request; undefined if there is none. A proxy may route or store a request with two,
 * or with another value, under a host that is not the one that the service reads.
 */
export const hostFault = ({ headers, httpVersionMajor, httpVersionMinor, rawHeaders }: IncomingMessage) => {
  // HTTP/2 has `:authority` in its place, and is read only inside other servers.
  if (httpVersionMajor !== 1) return undefined
  const { host } = headers
  // Node keeps the first of several, and reports all in `rawHeaders` alone.
  if (host === undefined) return httpVersionMinor === 0 ? undefined : noHost
  if (!hostPattern.test(host)) return invalidHost
  return hasOneHost(rawHeaders) ? undefined : severalHosts
}

/** A name or an address, and a port. */
const hostPattern = /^(?:[A-Za-z0-9._~!$&'()*+;=%-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]*)?$/

/** Names and values alternate. */
const hasOneHost = (rawHeaders: ReadonlyArray<string>): boolean => {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 4 && name.toLowerCase() === "host") count++
  }
  return count <= 1
}

const fault = (message: string): Failure =>
  toFailure(new InvalidRequest({ message: `this is not a valid HTTP request: ${message}` }))

const noHost = fault("Host is missing; HTTP/1.1 requires it")
const severalHosts = fault("Host may be sent once only")
const invalidHost = fault("Host must be a name or an address, with a port or without, such as postcode.example:443")
