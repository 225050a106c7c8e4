/**
 * A `node:http` server around the service. Everything that arrives is answered in the envelope, also what Node itself would
 * answer with an empty body, and stopping loses no request.
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
  /**
   * Shares the port with every other server that asks for this and belongs to the same user: the system deals the
   * connections out among them. `checkPort` first, or servers of another process come to share it, too.
   */
  readonly reusePort?: boolean
  /** How many connections may be open; 10,000 by default. One more is closed at once, before a byte of it is read. */
  readonly maxConnections?: number
  /** Called for each connection that is closed for that reason. */
  readonly onConnectionRefused?: () => void
  /**
   * How long a server that stops goes on accepting, while it says that it is not ready and closes each connection with
   * its next answer; 1,000 by default. It ends earlier when no connection is open.
   */
  readonly drain_ms?: number
  /** How long requests in flight may take after that; 10,000 by default. */
  readonly shutdownTimeout_ms?: number
  /** How long the headers of a request may take to arrive; 10,000 by default. */
  readonly headTimeout_ms?: number
  /** How long a whole request may take to arrive; 30,000 by default. */
  readonly requestTimeout_ms?: number
  /** How long a client may read nothing of an answer; 60,000 by default. */
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

/** The port could not be taken. */
export class ListenFailed {
  readonly _tag = "ListenFailed"
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

/**
 * Serves until its scope closes. Then it drains, so that no client loses a request on a connection that it believes
 * open, stops accepting, finishes what is in flight, and only after the timeout cuts what is left.
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

/** Fails if a server that shares no port could not listen there now. */
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
    // A request without Host would get an empty 400 from Node; nothing here depends on Host.
    requireHostHeader: false,
    // Without it, even a request that has no body gets a stream for one, which is a tenth of what answering it takes.
    optimizeEmptyRequests: true,
    headersTimeout: headTimeout_ms,
    requestTimeout: requestTimeout_ms,
    // Balancers keep idle connections for a minute. With Node's 5 s the service would be the first to hang up, at times
    // just as a request is on its way.
    keepAliveTimeout: 65_000,
    // Node looks every 30 s unless told, which would make the limits above up to four times as long.
    connectionsCheckingInterval: 1_000
  })
  // Each takes memory for as long as its client likes.
  server.maxConnections = maxConnections
  // A client that reads nothing must not hold its connection for ever.
  server.timeout = sendTimeout_ms
  server.on("drop", onConnectionRefused)
  handleRequests(server, gateway, toNodeHandler(gateway, context))
  return server
}

const listen = (
  server: Server,
  { host, port, reusePort = false }: Pick<ServeOptions, "host" | "port" | "reusePort">
): Effect.Effect<void, ListenFailed> =>
  Effect.callback((resume) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      resume(Effect.fail(new ListenFailed(explainListen(error, host, port))))
    )
    server.listen({ port, host, reusePort }, () => resume(Effect.void))
  })

const explainListen = (error: NodeJS.ErrnoException, host: string, port: number): string => {
  switch (error.code) {
    case "EADDRINUSE":
      return `port ${port} on ${host} is taken: stop what uses it, or choose another with --port`
    case "ENOTSUP":
      return `this system does not let several threads listen on one port: run one, with --workers 1`
    case "EACCES":
      return `port ${port} on ${host} needs rights that this process has not: choose one of 1024 and up with --port`
    default:
      return `could not listen on ${host}:${port}: ${error.message}`
  }
}

/** The connections that are open now, and since when. */
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

/** Includes sockets that Node has handed over, as after CONNECT, and no longer counts. */
const destroyAll = (connections: ReadonlyMap<Socket, number>): void => {
  for (const socket of connections.keys()) socket.destroy()
}

/** After this time without a byte, a connection counts as opened ahead of time. */
const silence_ms = 500

/** Browsers open connections ahead of time. Node counts those as busy until their headers time out. */
const closeSilent = (connections: ReadonlyMap<Socket, number>): void => {
  const before_ms = performance.now() - silence_ms
  for (const [socket, since_ms] of connections) if (socket.bytesRead === 0 && since_ms <= before_ms) socket.destroy()
}
