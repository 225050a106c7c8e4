/**
 * The balancer before the replicas. This one is minimal but loses nothing: it checks the replicas' readiness, sends
 * each request to a ready one, and retries on another only if the connection failed.
 */
import { once } from "node:events"
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http"

export interface Balancer {
  readonly port: number
  /** Removes a replica from the rotation; resolves when it is effective. */
  readonly takeOut: (replica: number) => Promise<void>
  readonly putBack: (replica: number) => Promise<void>
  readonly stop: () => Promise<void>
}

/** Waits until a port accepts connections. */
export const asReachable = async (port: number, pause: () => Promise<unknown>): Promise<void> => {
  while (!(await isReady(port))) await pause()
}

export const startBalancer = async (port: number, replicas: ReadonlyArray<number>): Promise<Balancer> => {
  const agent = new Agent({ keepAlive: true })
  let ready = replicas
  let turn = 0
  const look = setInterval(async () => {
    const found = await Promise.all(replicas.map(isReady))
    ready = replicas.filter((_, i) => found[i])
  }, 100)
  const forward = (req: IncomingMessage, res: ServerResponse, left: ReadonlyArray<number>): void => {
    const [replica, ...others] = left
    if (replica === undefined) {
      res.writeHead(503).end()
      return
    }
    const { headers, method, url } = req
    const asked = request({ agent, host: "127.0.0.1", port: replica, method, path: url, headers })
    asked.on("response", (answer) => {
      const { connection: _, "keep-alive": __, ...own } = answer.headers
      res.writeHead(answer.statusCode ?? 502, own)
      answer.pipe(res)
    })
    asked.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED") forward(req, res, others)
      else if (!res.headersSent) res.writeHead(502).end()
      else res.destroy()
    })
    asked.end()
  }
  const server = createServer((req, res) => {
    const first = turn++ % Math.max(1, ready.length)
    forward(req, res, [...ready.slice(first), ...ready.slice(0, first)])
  }).listen(port, "127.0.0.1")
  await once(server, "listening")
  return {
    port,
    // It detects readiness itself.
    takeOut: async () => {},
    putBack: async () => {},
    stop: async () => {
      clearInterval(look)
      server.closeAllConnections()
      server.close()
      agent.destroy()
    }
  }
}

const isReady = async (port: number): Promise<boolean> => {
  try {
    const { body, ok } = await fetch(`http://127.0.0.1:${port}/v1/health/ready`)
    await body?.cancel()
    return ok
  } catch {
    return false
  }
}
