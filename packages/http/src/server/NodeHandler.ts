/** The service as a request listener of `node:http`. */

import type { IncomingMessage, ServerResponse } from "node:http"
import { Context, Effect, Exit } from "effect"
import { exitOf } from "../pipeline/EagerExit.ts"
import type { Gateway } from "../pipeline/Gateway.ts"
import { beginAnswer, endWith, lastAnswerOf } from "./Connection.ts"
import { hostFault } from "./HostHeader.ts"
import { BodyBroken, BodyTooLarge, bodyAlreadyRead, type HttpRequest, type HttpResponse } from "./HttpMessage.ts"
import { refuseRequest } from "./refuseRequest.ts"

export type NodeHandler = (req: IncomingMessage, res: ServerResponse) => void

/**
 * A request listener for `http.createServer`, Express, Fastify's raw server and the like.
 *
 * Requests that arrive in one event-loop tick are parsed, handled and written as a batch. Under load that takes a fifth
 * less CPU than one after the other, because each step finds its code and data in the processor's caches.
 */
export const toNodeHandler = (gateway: Gateway, context: Context.Context<never> = Context.empty()): NodeHandler => {
  const run = Effect.runForkWith(context)
  let asked: Array<Asked> = []
  let answered: Array<Answered> = []
  let isTickScheduled = false

  const scheduleTick = (): void => {
    if (isTickScheduled) return
    isTickScheduled = true
    setImmediate(onTick)
  }

  const onTick = (): void => {
    isTickScheduled = false
    answerAll()
  }

  const answerAll = (): void => {
    const toAnswer = asked
    asked = []
    for (const one of toAnswer) answer(one)
    const toWrite = answered
    answered = []
    for (const { exit, res } of toWrite) write(res, exit, gateway.isDraining())
  }

  const answer = ({ received_ms, req, res }: Asked): void => {
    // A request is not served or charged if its client has disconnected or it was refused in the meantime.
    if (req.socket.destroyed || res.headersSent) return
    const answering = gateway.answer(fromNode(req, received_ms))
    const synchronous = exitOf(answering)
    if (synchronous !== undefined) {
      answered.push({ res, exit: synchronous })
      return
    }
    const fiber = run(answering)
    fiber.addObserver((exit) => {
      answered.push({ res, exit })
      scheduleTick()
    })
    // This includes requests that `BrokenRequests` has refused because their rest will not arrive.
    res.on("close", () => fiber.interruptUnsafe())
  }

  return (req, res) => {
    beginAnswer(res)
    const fault = hostFault(req)
    if (fault !== undefined) return refuseRequest(gateway, res, fault)
    asked.push({ req, res, received_ms: performance.now() })
    if (asked.length === maxRequestsPerWrite) answerAll()
    else scheduleTick()
  }
}

/** In requests. Larger batches do not fit in the processor's caches. */
const maxRequestsPerWrite = 32

/** A request that arrived in this tick. */
interface Asked {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly received_ms: number
}

/** A request whose answer is ready to be written. */
interface Answered {
  readonly res: ServerResponse
  readonly exit: Exit.Exit<HttpResponse>
}

const fromNode = (req: IncomingMessage, received_ms: number): HttpRequest => {
  const { headers } = req
  return {
    method: req.method as string,
    // Express and others remove their mount path from `url`; the contract has whole paths.
    target: originForm((req as { readonly originalUrl?: string }).originalUrl ?? (req.url as string)),
    header: (name) => headers[name] as string | undefined,
    peer_address: req.socket.remoteAddress ?? "unknown",
    received_ms,
    body: (maximum_bytes) => readBody(req, maximum_bytes)
  }
}

/** RFC 9112: a server accepts the absolute form, which clients of proxies send. */
const originForm = (target: string): string =>
  target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?#]*/i, "")

/**
 * How much more than the maximum is read and discarded before the answer. Many clients read the answer only after they
 * have sent everything, and lose it if the connection closes before.
 */
const discarded_bytes = 16 * 1024 * 1024

const readBody = (req: IncomingMessage, maximum_bytes: number): Effect.Effect<Uint8Array, BodyTooLarge | BodyBroken> =>
  Effect.callback((resume) => {
    if (req.readableEnded) return resume(hasBody(req) ? Effect.die(bodyAlreadyRead) : Effect.succeed(nothing))
    const tooLarge = () => resume(Effect.fail(new BodyTooLarge()))
    if (Number(req.headers["content-length"]) > maximum_bytes + discarded_bytes) return tooLarge()
    const chunks: Array<Buffer> = []
    let length = 0
    req.on("data", (chunk: Buffer) => {
      length += chunk.length
      if (length <= maximum_bytes) chunks.push(chunk)
      else if (length > maximum_bytes + discarded_bytes) {
        req.removeAllListeners("data")
        req.pause()
        tooLarge()
      }
    })
    req.on("end", () => {
      if (length > maximum_bytes) tooLarge()
      else resume(Effect.succeed(Buffer.concat(chunks)))
    })
    // A body whose request was refused or cut off never ends.
    req.on("close", () => resume(Effect.fail(new BodyBroken())))
  })

/** Without one of these headers a request has no body. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined

const nothing = new Uint8Array()

const write = (res: ServerResponse, exit: Exit.Exit<HttpResponse>, isDraining: boolean): void => {
  // An exchange is interrupted when its client disconnects.
  if (Exit.isFailure(exit) || res.destroyed || res.headersSent) return
  const { body, headers, status } = exit.value
  // The rest of a body that is too large is not read, so the connection ends. It stays open if later requests were
  // started, because they may be charged.
  if ((isDraining || status === 413) && lastAnswerOf(res.req.socket) === res) endWith(res)
  res.writeHead(status, headers)
  res.end(body)
}
