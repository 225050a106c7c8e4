/** Node's response, but for heads that are much the same over and over. */
import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
  STATUS_CODES,
  validateHeaderName
} from "node:http"

/** How long a server of such responses has to keep an idle connection: they say so. */
export const keepAliveTimeout_s = 65

type Headers = OutgoingHttpHeaders | Array<OutgoingHttpHeader>

/**
 * For `createServer({ ServerResponse: QuickResponse })` where nothing but `writeHead` and `setHeader` says what is in a head.
 * What goes out is what Node writes, byte for byte.
 *
 * Node looks at each character of each header of each answer, and at what it means for the connection, which takes a tenth
 * of a small answer. Here a header that says what it said last is not looked at again. What is rare is left to Node: other
 * statuses, bodies of unknown length, connections that end, headers that were set before.
 */
export class QuickResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /**
   * Where Node has a head that is ready to go, null before. It is not documented, though middleware reads it. In a Node
   * without it, all is left to Node.
   */
  declare private _header: string | null | undefined

  override writeHead(status: number, reasonOrHeaders?: string | Headers, headers?: Headers): this {
    const reason = status === 200 || status >= 400 ? STATUS_CODES[status] : undefined
    if (reason !== undefined && headers === undefined && this.isUsual()) {
      const lines = linesOf(reasonOrHeaders)
      if (lines !== undefined) {
        this.statusCode = status
        this.statusMessage = reason
        this._header = `HTTP/1.1 ${status} ${reason}\r\n${lines}${connectionLines()}`
        return this
      }
    }
    return super.writeHead(status, reasonOrHeaders as string, headers)
  }

  private isUsual(): boolean {
    return this._header === null && this.shouldKeepAlive && this.getHeaderNames().length === 0
  }
}

/** Undefined where any of them is left to Node. */
const linesOf = (headers: string | Headers | undefined): string | undefined => {
  if (typeof headers !== "object" || headers === null || Array.isArray(headers)) return undefined
  if (headers["content-length"] === undefined) return undefined
  let lines = ""
  for (const name in headers) {
    const line = lineOf(name, headers[name])
    if (line === undefined) return undefined
    lines += line
  }
  return lines
}

interface Line {
  value: string
  text: string
}

/** The last line of each header. Their names come from the service alone, so there are few. */
const lastLines = new Map<string, Line>()

const lineOf = (name: string, value: OutgoingHttpHeader | undefined): string | undefined => {
  const last = lastLines.get(name)
  if (last !== undefined && last.value === value) return last.text
  if (typeof value !== "string" || !printable.test(value)) return undefined
  const text = `${name}: ${value}\r\n`
  if (last !== undefined) {
    last.value = value
    last.text = text
    return text
  }
  if (leftToNode.has(name.toLowerCase())) return undefined
  validateHeaderName(name)
  lastLines.set(name, { value, text })
  return text
}

/** ASCII. Whether Node takes other characters is for Node to say. */
const printable = /^[\x20-\x7e]*$/

/** What changes how Node sends an answer; and cookies, which are secrets, and nothing to remember. */
const leftToNode: ReadonlySet<string> = new Set([
  "connection",
  "date",
  "expect",
  "keep-alive",
  "set-cookie",
  "trailer",
  "transfer-encoding"
])

/** The end of the head, which changes once a second. */
const connectionLines = (): string => {
  const now_s = Math.floor(Date.now() / 1_000)
  if (now_s !== written_s) {
    written_s = now_s
    written = `Date: ${new Date(now_s * 1_000).toUTCString()}\r\n${keepAlive}\r\n`
  }
  return written
}

const keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveTimeout_s}\r\n`
let written_s = Number.NaN
let written = ""
