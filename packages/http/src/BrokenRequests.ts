/**
 * What is no request, half of one, or one of another protocol gets one answer in the envelope, in its turn, and the
 * connection ends with it. One answer and no more: behind a proxy, a second would be taken for that to somebody else.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { type Failure, InvalidRequest, MethodNotAllowed, toFailure } from "./ErrorTable.ts"
import type { Gateway } from "./Gateway.ts"
import type { NodeHandler } from "./NodeHandler.ts"
import { renderUnparsable } from "./Render.ts"
import { newRequestId } from "./RequestId.ts"

/** Has a server give its requests to a handler, and answers what is none. */
export const handleRequests = (server: Server, gateway: Gateway, handle: NodeHandler): void => {
  const onRequest = (req: IncomingMessage, res: ServerResponse) => {
    const connection: Connection = req.socket
    // What comes behind a refusal may be anything: the rest of what was refused, or what someone hid in it.
    if (connection[isOver]) return
    connection[lastAnswer] = res
    const fault = faultOf(req)
    connection[isOver] = fault !== undefined || asksForUpgrade(req)
    if (fault !== undefined) return refuseRequest(gateway, res, fault)
    if (connection[isOver]) res.shouldKeepAlive = false
    handle(req, res)
  }
  const onClientError = (error: NodeJS.ErrnoException, socket: Connection) => {
    if (error.code === "ECONNRESET") socket.destroy()
    // What comes behind a refusal is no request either, but it is answered already.
    if (socket.destroyed || socket.writableEnded) return
    const last = socket[lastAnswer]
    const failure = toFailure(new InvalidRequest({ message: describeClientError(error.code) }))
    if (last === undefined || (last.req.complete && last.writableFinished)) return refuse(gateway, socket, failure)
    if (!last.req.complete && !last.headersSent) return refuseRequest(gateway, last, failure)
    if (!last.writableFinished) {
      // Garbage behind a good request: that one comes first, perhaps charged, and its answer must not be lost.
      last.once("finish", () => onClientError(error, socket))
      return
    }
    hangUp(socket)
  }
  server.on("request", onRequest)
  // Node would answer an unknown expectation with an empty 417.
  server.on("checkExpectation", onRequest)
  server.on("connect", (_req: IncomingMessage, socket: Duplex) => refuse(gateway, socket, noConnect))
  server.on("clientError", onClientError)
}

/** A connection with what was said on it. It is noted there since a map would cost each request more than all else here. */
interface Connection extends Socket {
  [lastAnswer]?: ServerResponse
  [isOver]?: boolean
}

const lastAnswer = Symbol("the last answer")
const isOver = Symbol("whether nothing more is answered")

/** What Node's parser takes, and someone in front of the service may have read in another way. */
const faultOf = ({ headers, httpVersionMajor, httpVersionMinor }: IncomingMessage): Failure | undefined => {
  if (httpVersionMajor !== 1) return otherVersion
  const encoding = headers["transfer-encoding"]
  if (encoding === undefined || (encoding.toLowerCase() === "chunked" && httpVersionMinor === 1)) return undefined
  return otherEncoding
}

/**
 * A request to go on in another protocol is answered in this one. Node passes over whatever came along behind it, be it
 * whole requests or garbage, so nothing that comes then can be told for what it is.
 */
const asksForUpgrade = ({ headers }: IncomingMessage): boolean => headers.upgrade !== undefined

const noConnect = toFailure(new MethodNotAllowed({ allow: "GET", message: "this is no proxy: CONNECT is not taken" }))
const otherVersion = toFailure(new InvalidRequest({ message: "this is not a valid HTTP request: expected HTTP/1.1" }))
const otherEncoding = toFailure(
  new InvalidRequest({
    message: "this is not a valid HTTP request: Transfer-Encoding takes chunked alone, in HTTP/1.1"
  })
)

const describeClientError = (code: string | undefined): string => {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return "the request line and headers are too long: at most 16 KiB, and 1,000 headers"
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return "the request took too long to arrive"
    default:
      return "this is not a valid HTTP request"
  }
}

/** Answers a request of which no more will come than its head. */
const refuseRequest = (gateway: Gateway, res: ServerResponse, failure: Failure): void => {
  const { body, headers, status } = renderUnparsable(failure, newRequestId(), gateway.addressRateLimit_per_minute)
  res.writeHead(status, { ...headers, connection: "close" })
  res.end(res.req.method === "HEAD" ? undefined : body)
}

/** Answers on the bare socket, where there is no request to answer. */
const refuse = (gateway: Gateway, socket: Duplex, failure: Failure): void => {
  const { body, headers, status } = renderUnparsable(failure, newRequestId(), gateway.addressRateLimit_per_minute)
  const lines = Object.entries({ ...headers, connection: "close" }).map(([name, value]) => `${name}: ${value}\r\n`)
  hangUp(
    socket,
    `HTTP/1.1 ${status} ${status === 405 ? "Method Not Allowed" : "Bad Request"}\r\n${lines.join("")}\r\n${body}`
  )
}

/** How long a client may take to read the end of a connection and hang up. */
const linger_ms = 1_000

/**
 * Ends a connection behind its last words. The server knows nothing of such a socket any more: its errors must be heard
 * here, or one reset would end the process, and it must go even if the client stays.
 */
const hangUp = (socket: Duplex, lastWords = ""): void => {
  const lingering = setTimeout(() => socket.destroy(), linger_ms)
  socket.on("error", () => socket.destroy())
  socket.on("close", () => clearTimeout(lingering))
  // Bytes that nobody reads would turn the end of the connection into a reset, and the answer would be lost.
  socket.resume()
  socket.end(lastWords)
}
