/** Parses HTTP/1.1 responses from the bytes of a connection. */
import type { Received } from "./Received.ts"

/**
 * All responses in the bytes, in order.
 *
 * @param methodOf the method of the request that a response answers, by its number from 0
 * @throws Error if the bytes are not HTTP/1.1 responses
 */
export const parseResponses = (bytes: Buffer, methodOf: (i: number) => string): ReadonlyArray<Received> => {
  const responses: Array<Received> = []
  let at = 0
  while (at < bytes.length) {
    const end = bytes.indexOf("\r\n\r\n", at)
    if (end === -1) throw new Error(`no end of headers in ${JSON.stringify(bytes.toString("latin1", at, at + 200))}`)
    const [statusLine = "", ...lines] = bytes.toString("latin1", at, end).split("\r\n")
    const status = Number(/^HTTP\/1\.1 ([1-5]\d\d) [A-Za-z ]+$/.exec(statusLine)?.[1])
    if (Number.isNaN(status)) throw new Error(`no status line: ${JSON.stringify(statusLine)}`)
    at = end + 4
    // 100 Continue is not the final response.
    if (status < 200) continue
    const { headerNames, headers } = parseHeaders(lines)
    const hasBody = methodOf(responses.length) !== "HEAD" && status !== 204 && status !== 304
    const length = hasBody ? Number(headers["content-length"]) : 0
    if (!(at + length <= bytes.length)) throw new Error(`a body of ${headers["content-length"]} bytes is cut off`)
    const body = bytes.subarray(at, at + length)
    responses.push({ status, headers, headerNames, body, text: body.toString("utf8") })
    at += length
  }
  return responses
}

const parseHeaders = (lines: ReadonlyArray<string>): Pick<Received, "headerNames" | "headers"> => {
  const headerNames: Array<string> = []
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?(.*)$/.exec(line)
    if (match === null) throw new Error(`no header: ${JSON.stringify(line)}`)
    const name = (match[1] as string).toLowerCase()
    headerNames.push(name)
    headers[name] = match[2] as string
  }
  return { headerNames, headers }
}
