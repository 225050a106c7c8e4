/** A connection that is opened when something is asked, and again after the server has ended it as agreed. */
import { connect, type Socket } from "node:net"

export interface SoakRequest {
  readonly bytes: Uint8Array
  /** The statuses that are right. */
  readonly statuses: ReadonlyArray<number>
  /** Told the body of a right answer. */
  readonly answered?: (body: string) => void
}

export class AskingConnection {
  private readonly port: number
  private socket: Socket | undefined
  private received = ""
  private settle: (error?: Error) => void = () => {}

  constructor(port: number) {
    this.port = port
  }

  /**
   * Whether it was answered; else the service said that it has too much to do.
   *
   * @throws Error if the answer is none of those that are right, or does not come
   */
  async ask({ answered, bytes, statuses }: SoakRequest): Promise<boolean> {
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
    // One that was forgotten has ended as agreed, and has no more to say.
    const fail = (error: Error): void => {
      if (this.socket !== socket) return
      this.forget()
      this.settle(error)
    }
    socket.on("data", (text: string) => {
      this.received += text
      if (isWhole(this.received)) this.settle()
    })
    socket.setTimeout(patience_ms, () => fail(new Error(`no answer within ${patience_ms / 1_000} s`)))
    socket.on("error", fail)
    socket.on("close", () => fail(new Error("the server closed the connection before its answer")))
    return socket
  }

  /** Ends it, with nothing under way. */
  end(): void {
    this.forget()
  }

  private forget(): void {
    this.socket?.destroy()
    this.socket = undefined
  }
}

/** Longer than a machine that has many other things to do keeps anything waiting. */
const patience_ms = 60_000

const headEnd = "\r\n\r\n"

const isWhole = (received: string): boolean => {
  const head = received.indexOf(headEnd)
  if (head === -1) return false
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(received.slice(0, head + 2))?.[1]
  return received.length >= head + headEnd.length + Number(length)
}
