/**
 * The telemetry port: metrics and health, available from the start of the process to its end. It has no authentication,
 * so only the operator's network may reach it.
 */
import { once } from "node:events"
import { createServer, type RequestListener, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { dataPolicy, metricsContentType, type ServeOptions } from "@postcode/http"
import { Effect, type Scope } from "effect"
import { CommandFailure } from "../process/ExitCode.ts"
import { ServiceMetrics } from "./ServiceMetrics.ts"

/** Where to listen. Port 0 takes any free port. */
type TelemetryAddress = Pick<ServeOptions, "host" | "port">

/** The listening port. */
export interface Telemetry {
  /** `http://127.0.0.1:9464` */
  readonly url: string
  readonly metrics: ServiceMetrics
}

/** Listens until its scope closes. */
export const serveTelemetry = (
  address: TelemetryAddress,
  version: string
): Effect.Effect<Telemetry, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const metrics = new ServiceMetrics(version)
    const server = createServer(
      { headersTimeout: 5_000, requestTimeout: 5_000, requireHostHeader: false },
      respond(metrics)
    )
    // Few collectors and people connect.
    server.maxConnections = 64
    server.setTimeout(30_000)
    yield* Effect.acquireRelease(listen(server, address), () => close(server))
    const { port } = server.address() as AddressInfo
    const host = address.host.includes(":") ? `[${address.host}]` : address.host
    return { url: `http://${host}:${port}`, metrics }
  })

interface Answer {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

const respond =
  (metrics: ServiceMetrics): RequestListener =>
  async (req, res) => {
    const isRead = req.method === "GET" || req.method === "HEAD"
    const [path = ""] = (req.url ?? "").split("?")
    const { body, contentType, status } = isRead
      ? await answerOf(path, metrics)
      : failure(405, "method_not_allowed", "this path takes GET, HEAD")
    res.writeHead(status, {
      ...(!isRead && { allow: "GET, HEAD" }),
      ...(status === 503 && { "retry-after": "1" }),
      "content-type": contentType,
      "content-length": Buffer.byteLength(body),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "content-security-policy": dataPolicy
    })
    res.end(req.method === "HEAD" ? undefined : body)
  }

const answerOf = async (path: string, metrics: ServiceMetrics): Promise<Answer> => {
  switch (path) {
    case "/metrics":
      return { status: 200, contentType: metricsContentType, body: await metrics.text() }
    case "/health/live":
      return json(200, { data: { status: "live" } })
    case "/health/ready":
      return metrics.isReady
        ? json(200, { data: { status: "ready" } })
        : failure(503, "service_unavailable", "the service starts, or is about to stop: ask again in a second")
    default:
      return failure(404, "not_found", "there is no such path: this port has /metrics, /health/live and /health/ready")
  }
}

const json = (status: number, value: unknown): Answer => ({
  status,
  contentType: "application/json; charset=utf-8",
  body: JSON.stringify(value)
})

const failure = (status: number, code: string, message: string): Answer => json(status, { error: { code, message } })

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
