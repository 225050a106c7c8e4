/**
 * The telemetry port: metrics and health, available from the start of the process to its end. It has no authentication,
 * so only the operator's network may reach it.
 */
import { once } from "node:events"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { CurrentDirectory } from "@postcode/core/directory/CurrentDirectory"
import { dataPolicy, metricsContentType } from "@postcode/http"
import { Effect, type Scope } from "effect"
import { CommandFailure } from "../ExitCode.ts"
import { ServiceMetrics } from "./ServiceMetrics.ts"

/** Where to listen. */
export interface TelemetryAddress {
  /** 0 takes any free port. */
  readonly port: number
  readonly host: string
}

/** The listening port. */
export interface Telemetry {
  /** `http://127.0.0.1:9464` */
  readonly url: string
  readonly metrics: ServiceMetrics
  /** The service is ready from this call until the caller's scope closes. */
  readonly ready: (
    current: CurrentDirectory["Service"],
    databaseConnections: number | undefined
  ) => Effect.Effect<void, never, Scope.Scope>
}

/** Listens until its scope closes. The service is not ready at first. */
export const serveTelemetry = (address: TelemetryAddress): Effect.Effect<Telemetry, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const metrics = new ServiceMetrics()
    const server = makeServer((path) => answerOf(path, metrics))
    yield* Effect.acquireRelease(listen(server, address), () => close(server))
    const { port } = server.address() as AddressInfo
    const host = address.host.includes(":") ? `[${address.host}]` : address.host
    return {
      url: `http://${host}:${port}`,
      metrics,
      ready: (current, databaseConnections) => {
        metrics.follow(current, databaseConnections)
        metrics.isReady = true
        return Effect.addFinalizer(() =>
          Effect.sync(() => {
            metrics.isReady = false
          })
        )
      }
    }
  })

interface Answer {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

const json = "application/json; charset=utf-8"

const answerOf = async (path: string, metrics: ServiceMetrics): Promise<Answer> => {
  switch (path) {
    case "/metrics":
      return { status: 200, contentType: metricsContentType, body: await metrics.text() }
    case "/health/live":
      return { status: 200, contentType: json, body: data({ status: "live" }) }
    case "/health/ready":
      return metrics.isReady
        ? { status: 200, contentType: json, body: data({ status: "ready" }) }
        : failure(503, "service_unavailable", "the service starts, or is about to stop: ask again in a second")
    default:
      return failure(404, "not_found", "there is no such path: this port has /metrics, /health/live and /health/ready")
  }
}

const data = (value: unknown): string => JSON.stringify({ data: value })

const failure = (status: number, code: string, message: string): Answer => ({
  status,
  contentType: json,
  body: JSON.stringify({ error: { code, message } })
})

const makeServer = (answer: (path: string) => Promise<Answer>): Server => {
  const server = createServer(
    { headersTimeout: 5_000, requestTimeout: 5_000, requireHostHeader: false },
    async (req, res) => {
      const isRead = req.method === "GET" || req.method === "HEAD"
      if (!isRead) res.setHeader("allow", "GET, HEAD")
      const [path = ""] = (req.url ?? "").split("?")
      send(req, res, isRead ? await answer(path) : failure(405, "method_not_allowed", "this path takes GET, HEAD"))
    }
  )
  // Few collectors and people connect.
  server.maxConnections = 64
  server.setTimeout(30_000)
  return server
}

const send = (req: IncomingMessage, res: ServerResponse, { body, contentType, status }: Answer): void => {
  if (status === 503) res.setHeader("retry-after", "1")
  res.writeHead(status, {
    "content-type": contentType,
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "content-security-policy": dataPolicy
  })
  res.end(req.method === "HEAD" ? undefined : body)
}

const listen = (server: Server, { host, port }: TelemetryAddress): Effect.Effect<void, CommandFailure> =>
  Effect.tryPromise({
    try: () => once(server.listen({ host, port }), "listening"),
    catch: (error) =>
      new CommandFailure(`--operations-port: could not listen on ${host}:${port}: ${(error as Error).message}`)
  })

const close = (server: Server): Effect.Effect<void> =>
  Effect.promise(() => {
    server.closeAllConnections()
    return server[Symbol.asyncDispose]()
  })
