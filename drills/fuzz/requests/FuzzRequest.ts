/** One request as a fuzzer makes it: in parts, so that parts can be changed and left out, until it is bytes. */
import type { Sent } from "@postcode/conformance/wire"

export type Pair = readonly [name: string, value: string]

export interface FuzzRequest {
  readonly method: string
  readonly path: string
  /** As they stand in the address, encoded. */
  readonly query: ReadonlyArray<Pair>
  readonly headers: ReadonlyArray<Pair>
  readonly body: Buffer | undefined
  readonly isChunked: boolean
}

const targetOf = ({ path, query }: FuzzRequest): string =>
  query.length === 0 ? path : `${path}?${query.map(([name, value]) => `${name}=${value}`).join("&")}`

/** What goes over the wire. */
export const bytesOf = (request: FuzzRequest): Buffer => {
  const { body, headers, isChunked, method } = request
  const framing = isChunked ? "transfer-encoding: chunked" : `content-length: ${body?.length}`
  const lines = [
    `${method} ${targetOf(request)} HTTP/1.1`,
    // A request without one would be refused before anything else of it is read.
    ...(headers.some(([name]) => name.toLowerCase() === "host") ? [] : ["host: fuzz.example"]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [framing])
  ]
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1")
  if (body === undefined) return head
  return Buffer.concat([head, isChunked ? chunked(body) : body])
}

/** What a check of the answer has to know; of a header that stands there more than once, what a server makes of it. */
export const sentOf = (request: FuzzRequest): Sent => ({
  method: request.method,
  target: targetOf(request),
  headers: foldHeaders(request.headers)
})

/** Of these the first counts; others are joined. */
const single = new Set(["authorization", "content-length", "content-type", "host", "user-agent"])

export const foldHeaders = (headers: ReadonlyArray<Pair>): Readonly<Record<string, string>> => {
  const folded: Record<string, string> = {}
  for (const [sent, value] of headers) {
    const name = sent.toLowerCase()
    const before = folded[name]
    if (before === undefined) folded[name] = value.trim()
    else if (!single.has(name)) folded[name] = `${before}${name === "cookie" ? "; " : ", "}${value.trim()}`
  }
  return folded
}

/** In chunks of up to 1,000 bytes. */
const chunked = (body: Buffer): Buffer => {
  const parts: Array<Buffer> = []
  for (let at = 0; at < body.length; at += 1_000) {
    const chunk = body.subarray(at, at + 1_000)
    parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from("\r\n"))
  }
  return Buffer.concat([...parts, Buffer.from("0\r\n\r\n")])
}
