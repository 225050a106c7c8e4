/**
 * Slow clients: each sends a byte of a request at intervals until the server closes the connection, and starts again.
 */
import { once } from "node:events"
import { connect, type Socket } from "node:net"

export interface SlowClients {
  readonly port: number
  readonly connections: number
  /** The slow part of the request; undefined ends all clients. */
  readonly slowAt: "body" | "headers" | undefined
}

let current: ReadonlyArray<SlowClient> = []

/** Resolves when all are connected and the previous ones are gone. */
export const keepSlowClients = async ({ connections, port, slowAt }: SlowClients): Promise<void> => {
  for (const client of current) client.leave()
  current = slowAt === undefined ? [] : Array.from({ length: connections }, () => new SlowClient(port, starts[slowAt]))
  await Promise.all(current.map((client) => client.connect()))
}

const starts = {
  headers: "GET /v1/search/autocomplete?q=LA HTTP/1.1\r\nhost: a\r\nx-slow: ",
  body: "POST /v1/assembly/assemble HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n "
}

/** The average interval between bytes. */
const pause_ms = 1_000

class SlowClient {
  private readonly port: number
  private readonly start: string
  private socket: Socket | undefined
  private timer: NodeJS.Timeout | undefined

  constructor(port: number, start: string) {
    this.port = port
    this.start = start
  }

  async connect(): Promise<void> {
    const socket = connect(this.port, "127.0.0.1").setNoDelay()
    this.socket = socket
    // Any response or disconnection starts a new connection.
    socket.on("error", () => {})
    socket.on("close", () => {
      clearTimeout(this.timer)
      if (this.socket === socket) void this.connect().catch(() => {})
    })
    await once(socket, "connect")
    socket.resume()
    socket.write(this.start)
    this.writeOn(socket)
  }

  leave(): void {
    clearTimeout(this.timer)
    const { socket } = this
    this.socket = undefined
    socket?.destroy()
  }

  private writeOn(socket: Socket): void {
    this.timer = setTimeout(
      () => {
        socket.write(" ")
        this.writeOn(socket)
      },
      2 * Math.random() * pause_ms
    )
  }
}
