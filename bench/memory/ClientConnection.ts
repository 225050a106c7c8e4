/** A client connection that is opened on demand, and reopened after the server has closed it in agreement. */
import { connect, type Socket } from "node:net"

export interface MixedRequest {
  readonly bytes: Uint8Array
  /** The accepted statuses. */
  readonly statuses: ReadonlyArray<number>
  /** Called with the body of an accepted response. */
  readonly answered?: (body: string) => void
}

export class ClientConnection {
  private readonly port: number
  private socket: Socket | undefined
  private received = ""
  private settle: (error?: Error) => void = () => {}

  constructor(port: number) {
    this.port = port
  }

  /**
   * Whether it was answered; false if the service refused it for load.
   *
   * @throws Error if the status is not accepted, or there is no response
   */
  async ask({ answered, bytes, statuses }: MixedRequest): Promise<boolean> {
    this.socket ??= this.open()
    this.socket.write(bytes)
    const said = () => `${Buffer.from(bytes).toString("latin1")}\n${this.received}`
    await new Promise<void>((resolve, reject) => {
      this.settle = (error) => (error === undefined ? resolve() : reject(new Error(`${error.message}: ${said()}`)))
    })
    const status = Number(this.received.slice(9, 12))
    const isBusy = status === 503 && /\r\nretry-after: \d/i.test(this.received)
    if (!isBusy && !statuses.includes(status))
      throw new Error(`expected ${statuses.join(" or ")}, found ${status}: ${said()}`)
    const head = this.received.indexOf(headEnd)
    if (!isBusy) answered?.(this.received.slice(head + headEnd.length))
    if (/\r\nconnection: close\r\n/i.test(this.received.slice(0, head + 2))) this.forget()
    this.received = ""
    return !isBusy
  }

  private open(): Socket {
    const socket = connect(this.port, "127.0.0.1").setNoDelay().setEncoding("latin1")
    // An old connection was closed in agreement; its events are ignored.
    const fail = (error: Error): void => {
      if (this.socket !== socket) return
      this.forget()
      this.settle(error)
    }
    socket.on("data", (text: string) => {
      this.received += text
      if (isWhole(this.received)) this.settle()
    })
    socket.setTimeout(timeout_ms, () => fail(new Error(`no answer within ${timeout_ms / 1_000} s`)))
    socket.on("error", fail)
    socket.on("close", () => fail(new Error("the server closed the connection before its answer")))
    return socket
  }

  /** Closes it while no request is in flight. */
  end(): void {
    this.forget()
  }

  private forget(): void {
    this.socket?.destroy()
    this.socket = undefined
  }
}

/** Longer than any delay on a busy machine. */
const timeout_ms = 60_000

const headEnd = "\r\n\r\n"

const isWhole = (received: string): boolean => {
  const head = received.indexOf(headEnd)
  if (head === -1) return false
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(received.slice(0, head + 2))?.[1]
  return received.length >= head + headEnd.length + Number(length)
}
