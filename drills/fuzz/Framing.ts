/**
 * How many requests there are in some bytes, read as strictly as RFC 9112 allows: the measure for a server, which may
 * take fewer for requests, but never more. Where it does, someone who reads strictly in front of it can be deceived.
 */
import { foldHeaders, type Pair } from "./requests/FuzzRequest.ts"

export interface FramedRequest {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
}

export interface Framed {
  /** Those that are whole. */
  readonly requests: ReadonlyArray<FramedRequest>
  /** One behind them whose head is whole, and whose body is not: a server may answer it, without its body. */
  readonly begun: FramedRequest | undefined
  /** Whether anything is behind them: half a request, or what is none. */
  readonly hasMore: boolean
}

export const frame = (bytes: Buffer): Framed => {
  const requests: Array<FramedRequest> = []
  let at = 0
  for (;;) {
    // A server should ignore empty lines in front of a request, and these hide nothing, whatever they end in.
    while (bytes[at] === 0x0d || bytes[at] === 0x0a) at++
    const found = readRequest(bytes, at)
    if (found?.end === undefined) return { requests, begun: found?.request, hasMore: at < bytes.length }
    requests.push(found.request)
    at = found.end
  }
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const longestHead = 17_000

interface Found {
  readonly request: FramedRequest
  /** Undefined if the body does not end, or is none. */
  readonly end: number | undefined
}

const readRequest = (bytes: Buffer, start: number): Found | undefined => {
  const headEnd = bytes.indexOf("\r\n\r\n", start)
  if (headEnd === -1 || headEnd - start > longestHead) return undefined
  const [line = "", ...fields] = bytes.toString("latin1", start, headEnd).split("\r\n")
  // More than one space is what RFC 9112 lets a server take.
  const [method = "", target = "", version, ...rest] = line.split(/ +/)
  if (!token.test(method) || !/^[\x21-\xff]+$/.test(target) || rest.length > 0) return undefined
  if (version !== "HTTP/1.1" && version !== "HTTP/1.0") return undefined
  const headers: Array<Pair> = []
  for (const field of fields) {
    const colon = field.indexOf(":")
    const name = field.slice(0, colon)
    if (colon === -1 || !token.test(name) || /[\0\r\n]/.test(field)) return undefined
    headers.push([name, field.slice(colon + 1)])
  }
  const endOfBody = bodyReader(headers, version)
  if (endOfBody === undefined) return undefined
  return { request: { method, target, headers: foldHeaders(headers) }, end: endOfBody(bytes, headEnd + 4) }
}

/** Finds the end of a body; undefined if the headers do not say in one way where it is. */
const bodyReader = (
  headers: ReadonlyArray<Pair>,
  version: string
): ((bytes: Buffer, start: number) => number | undefined) | undefined => {
  const valuesOf = (wanted: string) =>
    headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value.trim())
  const lengths = valuesOf("content-length")
  const encodings = valuesOf("transfer-encoding")
  if (encodings.length > 0) {
    const isChunked = encodings.length === 1 && encodings[0]?.toLowerCase() === "chunked"
    return isChunked && lengths.length === 0 && version === "HTTP/1.1" ? endOfChunks : undefined
  }
  if (lengths.length === 0) return (_, start) => start
  const [length = ""] = lengths
  if (lengths.length > 1 || !/^\d+$/.test(length)) return undefined
  return ({ length: there }, start) => (start + Number(length) <= there ? start + Number(length) : undefined)
}

const endOfChunks = (bytes: Buffer, start: number): number | undefined => {
  let at = start
  for (;;) {
    const lineEnd = bytes.indexOf("\r\n", at)
    if (lineEnd === -1) return undefined
    const size = /^([0-9A-Fa-f]{1,8})(?:[ \t]*;[\t\x20-\x7e\x80-\xff]*)?$/.exec(
      bytes.toString("latin1", at, lineEnd)
    )?.[1]
    if (size === undefined) return undefined
    at = lineEnd + 2
    const length = Number.parseInt(size, 16)
    if (length === 0) return endOfTrailers(bytes, at)
    if (bytes.toString("latin1", at + length, at + length + 2) !== "\r\n") return undefined
    at += length + 2
  }
}

const endOfTrailers = (bytes: Buffer, start: number): number | undefined => {
  let at = start
  for (;;) {
    const lineEnd = bytes.indexOf("\r\n", at)
    if (lineEnd === -1) return undefined
    if (lineEnd === at) return at + 2
    const field = bytes.toString("latin1", at, lineEnd)
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+:[^\0\r\n]*$/.test(field)) return undefined
    at = lineEnd + 2
  }
}
