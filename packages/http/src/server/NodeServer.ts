/**
 * A `node:http` server around the service. Every request is answered in the envelope, even where Node would send an
 * empty body, and stopping loses no request.
 */

import { createServer, type Server } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { type Context, Effect, type Scope } from "effect"
import type { Gateway } from "../pipeline/Gateway.ts"
import { handleRequests } from "./BrokenRequests.ts"
import { toNodeHandler } from "./NodeHandler.ts"

/** Address, limits and timeouts of a server. */
export interface ServeOptions {
  /** 0 takes any free port. */
  readonly port: number
  readonly host: string
  /** How many connections may be open; 10,000 by default. Further connections are closed before a byte is read. */
  readonly maxConnections?: number
  /** Called for each connection above `maxConnections`. */
  readonly onConnectionRefused?: () => void
  /**
   * How long a stopping server still accepts connections, while it reports that it is not ready and closes each
   * connection with its next answer; 1,000 by default. It ends earlier when no connection is open.
   */
  readonly drain_ms?: number
  /** How long requests in flight may take after `drain_ms`; 10,000 by default. */
  readonly shutdownTimeout_ms?: number
  /** How long the headers of a request may take to arrive; 10,000 by default. */
  readonly headTimeout_ms?: number
  /** How long a whole request may take to arrive; 30,000 by default. */
  readonly requestTimeout_ms?: number
  /** How long a connection with a request or answer in progress may transfer nothing; 60,000 by default. */
  readonly sendTimeout_ms?: number
  /** Called with 1 when a connection opens, and with −1 when it closes. */
  readonly onConnection?: (change: 1 | -1) => void
}

/** Where a server listens. */
export interface Listening {
  /** `http://127.0.0.1:3000` */
  readonly url: string
  readonly port: number
}

/** The server could not listen on the port. */
export class ListenFailed {
  readonly _tag = "ListenFailed"
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

/**
 * Serves until its scope closes. Then it drains, so that no client sends a request on a closed connection, stops
 * accepting, finishes the requests in flight, and closes the remaining connections after the timeout.
 */
export const serve = (gateway: Gateway, options: ServeOptions): Effect.Effect<Listening, ListenFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<never>()
    const server = makeServer(gateway, context, options)
    const connections = connectionsOf(server, options)
    yield* Effect.acquireRelease(listen(server, options), () =>
      Effect.andThen(
        drain(gateway, connections, options.drain_ms ?? 1_000),
        stop(server, connections, options.shutdownTimeout_ms ?? 10_000)
      )
    )
    const { port } = server.address() as AddressInfo
    const host = options.host.includes(":") ? `[${options.host}]` : options.host
    return { url: `http://${host}:${port}`, port }
  })

/** Fails if a server could not listen on the port now. */
export const checkPort = (options: Pick<ServeOptions, "host" | "port">): Effect.Effect<void, ListenFailed> =>
  Effect.suspend(() => {
    const server = createServer()
    return Effect.andThen(
      listen(server, options),
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
      })
    )
  })

const makeServer = (
  gateway: Gateway,
  context: Context.Context<never>,
  {
    headTimeout_ms = 10_000,
    maxConnections = 10_000,
    onConnectionRefused = () => {},
    requestTimeout_ms = 30_000,
    sendTimeout_ms = 60_000
  }: ServeOptions
): Server => {
  const server = createServer({
    // Node would answer a request without Host with an empty 400; `NodeHandler` answers it in the envelope.
    requireHostHeader: false,
    // By default, requests without a body also get a stream for it, which takes a tenth of the time of an answer.
    optimizeEmptyRequests: true,
    headersTimeout: headTimeout_ms,
    requestTimeout: requestTimeout_ms,
    // Load balancers keep idle connections for a minute. With Node's 5 s, the service would close a connection first,
    // at times while a request is arriving.
    keepAliveTimeout: 65_000,
    // With Node's 30 s, the timeouts above would be up to four times as long.
    connectionsCheckingInterval: 1_000
  })
  // Each connection takes memory.
  server.maxConnections = maxConnections
  // In a worker of a cluster, Node would pass the connection to another worker, and again if that is full.
  Object.assign(server, { dropMaxConnection: true })
  // A client that reads nothing must not keep its connection open forever.
  server.timeout = sendTimeout_ms
  server.on("drop", onConnectionRefused)
  handleRequests(server, gateway, toNodeHandler(gateway, context))
  return server
}

const listen = (
  server: Server,
  { host, port }: Pick<ServeOptions, "host" | "port">
): Effect.Effect<void, ListenFailed> =>
  Effect.callback((resume) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      resume(Effect.fail(new ListenFailed(explainListen(error, host, port))))
    )
    server.listen({ port, host }, () => resume(Effect.void))
  })

const explainListen = (error: NodeJS.ErrnoException, host: string, port: number): string => {
  switch (error.code) {
    case "EADDRINUSE":
      return `port ${port} on ${host} is taken: stop what uses it, or choose another with --port`
    case "EACCES":
      return `port ${port} on ${host} needs privileges that this process does not have: choose a port from 1024 with --port`
    default:
      return `could not listen on ${host}:${port}: ${error.message}`
  }
}

/** The open connections, and when each was opened, by `performance.now()`. */
const connectionsOf = (
  server: Server,
  { onConnection }: Pick<ServeOptions, "onConnection">
): ReadonlyMap<Socket, number> => {
  const connections = new Map<Socket, number>()
  server.on("connection", (socket) => {
    connections.set(socket, performance.now())
    onConnection?.(1)
    socket.once("close", () => {
      connections.delete(socket)
      onConnection?.(-1)
    })
  })
  return connections
}

const drain = (gateway: Gateway, connections: ReadonlyMap<Socket, number>, drain_ms: number): Effect.Effect<void> =>
  Effect.callback((resume) => {
    gateway.drain()
    const end_ms = performance.now() + drain_ms
    const wait = () => {
      if (connections.size === 0 || performance.now() >= end_ms) resume(Effect.void)
      else setTimeout(wait, 10)
    }
    wait()
  })

const stop = (server: Server, connections: ReadonlyMap<Socket, number>, timeout_ms: number): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const timeout = setTimeout(() => destroyAll(connections), timeout_ms)
    const sweep = setInterval(() => closeSilent(connections), silence_ms)
    server.close(() => {
      clearTimeout(timeout)
      clearInterval(sweep)
      resume(Effect.void)
    })
    server.closeIdleConnections()
    closeSilent(connections)
  })

/** Includes sockets that Node no longer tracks, such as those after CONNECT. */
const destroyAll = (connections: ReadonlyMap<Socket, number>): void => {
  for (const socket of connections.keys()) socket.destroy()
}

/** A connection on which no byte arrives for this long counts as opened in advance. */
const silence_ms = 500

/** Browsers open connections in advance. Node counts these as busy until their headers time out. */
const closeSilent = (connections: ReadonlyMap<Socket, number>): void => {
  const before_ms = performance.now() - silence_ms
  for (const [socket, since_ms] of connections) if (socket.bytesRead === 0 && since_ms <= before_ms) socket.destroy()
}
