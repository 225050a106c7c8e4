/** One connection, kept open, on which requests go out one after the other and are timed. */
import { connect, type Socket } from "node:net"

export interface Timed {
  /** From the first byte written until the last byte of the answer was read. */
  readonly time_ns: number
  /** The whole answer, its head included. */
  readonly answer: string
}

export class KeepAlive {
  private readonly socket: Socket
  private received: Array<Buffer> = []
  private length = 0
  private onData: () => void = () => {}

  private constructor(socket: Socket) {
    this.socket = socket
    socket.setNoDelay(true)
    socket.on("data", (chunk: Buffer) => {
      this.received.push(chunk)
      this.length += chunk.length
      this.onData()
    })
  }

  static open(port: number): Promise<KeepAlive> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: "127.0.0.1", port }, () => resolve(new KeepAlive(socket)))
      socket.once("error", reject)
    })
  }

  /** Sends a request and waits for its answer. One is asked at a time. */
  ask(request: Buffer): Promise<Timed> {
    return new Promise((resolve, reject) => {
      const ended = () => reject(new Error("the server closed the connection"))
      this.socket.once("close", ended)
      this.received = []
      this.length = 0
      const start = process.hrtime.bigint()
      this.onData = () => {
        const now = process.hrtime.bigint()
        const bytes = Buffer.concat(this.received)
        if (bytes.length < lengthOf(bytes)) return
        this.socket.off("close", ended)
        resolve({ time_ns: Number(now - start), answer: bytes.toString("utf8") })
      }
      this.socket.write(request)
    })
  }

  close(): void {
    this.socket.destroy()
  }
}

/** How long the answer at the start of some bytes is, as far as they say. */
const lengthOf = (bytes: Buffer): number => {
  const end = bytes.indexOf("\r\n\r\n")
  if (end === -1) return Number.POSITIVE_INFINITY
  const length = /^content-length: (\d+)\r$/im.exec(bytes.toString("latin1", 0, end + 2))?.[1]
  if (length === undefined) throw new Error("the answer does not say how long it is")
  return end + 4 + Number(length)
}
