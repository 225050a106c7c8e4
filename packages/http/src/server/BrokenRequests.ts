/**
 * Bytes that are not a request, cut-off requests and other protocols get one answer in the envelope, in order, and the
 * connection ends. Behind a proxy, a second answer would go to another client.
 */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { type Failure, InvalidRequest, MethodNotAllowed, toFailure } from "../pipeline/ErrorTable.ts"
import type { Gateway } from "../pipeline/Gateway.ts"
import { afterAnswers, beginAnswer, endRequests, endWith, isEnding, lastAnswerOf } from "./Connection.ts"
import type { NodeHandler } from "./NodeHandler.ts"
import { refuseRequest, requestIdIn } from "./refuseRequest.ts"

/** Passes the requests of a server to a handler, and answers invalid ones. */
export const handleRequests = (server: Server, gateway: Gateway, handle: NodeHandler): void => {
  const onRequest = (req: IncomingMessage, res: ServerResponse) => {
    // After a refusal, the parser may read the rest of the refused request, or a request that is smuggled in it.
    if (isEnding(req.socket)) return
    beginAnswer(res)
    const fault = faultOf(req)
    if (fault !== undefined) return refuseRequest(gateway, res, fault)
    if (asksForUpgrade(req)) endWith(res)
    handle(req, res)
  }
  const onConnect = (req: IncomingMessage, stream: Duplex) => {
    const socket = stream as Socket
    const isRefused = isEnding(socket)
    endRequests(socket)
    guard(socket)
    // Earlier requests may still wait for their answers, and may be charged.
    afterAnswers(socket, () => (isRefused ? hangUp(socket) : refuse(gateway, socket, noConnect, requestIdIn(req))))
  }
  const onClientError = (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === "ECONNRESET") socket.destroy()
    // The refusal of an earlier error is already sent.
    if (socket.destroyed || socket.writableEnded) return
    const last = lastAnswerOf(socket)
    const failure = toFailure(new InvalidRequest({ message: describeClientError(error.code) }))
    if (last !== undefined && !last.req.complete) {
      // The rest of a request will never come.
      if (last.headersSent) afterAnswers(socket, () => hangUp(socket))
      else refuseRequest(gateway, last, failure)
    } else if (!isEnding(socket)) {
      endRequests(socket)
      // Earlier requests may be charged, so their answers are sent first.
      afterAnswers(socket, () => refuse(gateway, socket, failure))
    }
  }
  server.on("request", onRequest)
  // Node would answer an unknown expectation with an empty 417.
  server.on("checkExpectation", onRequest)
  server.on("connect", onConnect)
  server.on("clientError", onClientError)
}

/** Requests that Node accepts but a proxy may parse differently, which allows request smuggling. */
const faultOf = ({ headers, httpVersionMajor, httpVersionMinor }: IncomingMessage): Failure | undefined => {
  if (httpVersionMajor !== 1) return otherVersion
  const encoding = headers["transfer-encoding"]
  if (encoding === undefined || (encoding.toLowerCase() === "chunked" && httpVersionMinor === 1)) return undefined
  return otherEncoding
}

/**
 * An upgrade request is answered in HTTP and ends the connection, because Node skips all bytes that arrived after it,
 * whole requests included.
 */
const asksForUpgrade = ({ headers }: IncomingMessage): boolean => headers.upgrade !== undefined

const noConnect = toFailure(
  new MethodNotAllowed({ allow: "GET", message: "CONNECT is not supported: this is not a proxy" })
)
const otherVersion = toFailure(new InvalidRequest({ message: "this is not a valid HTTP request: expected HTTP/1.1" }))
const otherEncoding = toFailure(
  new InvalidRequest({
    message: "this is not a valid HTTP request: Transfer-Encoding must be chunked, with HTTP/1.1"
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

/** Answers on the bare socket, where there is no request to answer. */
const refuse = (gateway: Gateway, socket: Socket, failure: Failure, request_id?: string): void => {
  if (socket.destroyed || socket.writableEnded) return
  const { body, headers, status } = gateway.refuse(failure, request_id)
  const all = { ...headers, date: new Date().toUTCString(), connection: "close" }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  hangUp(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`)
}

/** The time that a client has to read the last bytes and close the connection. */
const linger_ms = 1_000

/** Ends a connection after its last bytes, even if the client does not close it. */
const hangUp = (socket: Socket, lastBytes = ""): void => {
  const lingering = setTimeout(() => socket.destroy(), linger_ms)
  socket.on("close", () => clearTimeout(lingering))
  guard(socket)
  socket.end(lastBytes)
}

/**
 * Node removes its listeners from a socket that it hands over. Without an error listener one reset would end the
 * process, and unread bytes would turn the end of the connection into a reset, which loses the last answer.
 */
const guard = (socket: Socket): void => {
  socket.on("error", () => socket.destroy())
  socket.on("timeout", () => socket.destroy())
  socket.resume()
}
