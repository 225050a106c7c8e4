/** Sockets on which a fuzzer asks, and hears everything that comes back. */
import { connect, type Socket } from "node:net"

/** How long an answer may take before it counts as none. */
const outageTimeout_ms = 30_000

/** The service did not answer as a server of HTTP does. */
export class WireFault extends Error {}

export interface Asked {
  /** All that came back. */
  readonly bytes: Buffer
  /** From the last byte written to the last byte read. */
  readonly time_ms: number
}

/** A connection that stays open as long as the server lets it, for one request after the other. */
export class Connection {
  private readonly port: number
  private socket: Socket | undefined

  constructor(port: number) {
    this.port = port
  }

  /**
   * @param hasBody whether the answer may have one: not to HEAD
   * @throws WireFault if no answer comes, or half of one
   */
  async ask(bytes: Buffer, hasBody: boolean): Promise<Asked> {
    const socket = await this.open()
    return await new Promise((resolve, reject) => {
      const chunks: Array<Buffer> = []
      const started_ms = performance.now()
      const fail = (why: string) => {
        finish()
        this.close()
        reject(
          new WireFault(`${why}; so far ${JSON.stringify(Buffer.concat(chunks).toString("latin1").slice(0, 200))}`)
        )
      }
      const timeout = setTimeout(() => fail(`no answer in ${outageTimeout_ms} ms`), outageTimeout_ms)
      const onClose = () => fail("the connection ended before an answer")
      const onData = (chunk: Buffer) => {
        chunks.push(chunk)
        const bytes = chunks.length === 1 ? chunk : Buffer.concat(chunks)
        if (bytes.length < lengthOfAnswer(bytes, hasBody)) return
        const time_ms = performance.now() - started_ms
        finish()
        if (/\r\nconnection: close\r\n/i.test(bytes.toString("latin1", 0, 4_000))) this.close()
        resolve({ bytes, time_ms })
      }
      const finish = () => {
        clearTimeout(timeout)
        socket.off("data", onData).off("close", onClose)
      }
      socket.on("data", onData).once("close", onClose)
      socket.write(bytes)
    })
  }

  close(): void {
    this.socket?.destroy()
    this.socket = undefined
  }

  private async open(): Promise<Socket> {
    if (this.socket !== undefined && !this.socket.destroyed && this.socket.readable) return this.socket
    this.socket = await opened(this.port)
    return this.socket
  }
}

/**
 * How long to wait for one more answer where one is due, and where none is, before no more bytes are promised to come.
 */
const due_ms = 1_000
const quiet_ms = 20

/**
 * Sends bytes in pieces on a connection of their own, then says that no more come, and hears all until the server closes.
 *
 * @param expected how many answers are due
 * @throws WireFault if it does not close
 */
export const converse = async (port: number, pieces: ReadonlyArray<Buffer>, expected: number): Promise<Asked> => {
  const socket = await opened(port)
  return await new Promise((resolve, reject) => {
    const chunks: Array<Buffer> = []
    let written_ms = performance.now()
    let heard_ms = written_ms
    const timeout = setTimeout(() => {
      socket.destroy()
      reject(new WireFault(`the connection was left open for ${outageTimeout_ms} ms`))
    }, outageTimeout_ms)
    const wait = () => setTimeout(() => socket.end(), countAnswers(chunks) < expected ? due_ms : quiet_ms)
    let quiet = wait()
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk)
      heard_ms = performance.now()
      clearTimeout(quiet)
      quiet = wait()
    })
    socket.on("end", () => socket.end())
    socket.on("close", () => {
      clearTimeout(timeout)
      clearTimeout(quiet)
      resolve({ bytes: Buffer.concat(chunks), time_ms: Math.max(0, heard_ms - written_ms) })
    })
    void writeAll(socket, pieces).then(() => {
      written_ms = performance.now()
    })
  })
}

/** About how many there are so far. */
const countAnswers = (chunks: ReadonlyArray<Buffer>): number =>
  Buffer.concat(chunks)
    .toString("latin1")
    .match(/HTTP\/1\.1 [2-5]\d\d /g)?.length ?? 0

const writeAll = async (socket: Socket, pieces: ReadonlyArray<Buffer>): Promise<void> => {
  for (const piece of pieces) {
    if (!socket.writable) return
    await new Promise((resolve) => socket.write(piece, () => setImmediate(resolve)))
  }
}

const opened = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, allowHalfOpen: true, noDelay: true }, () => {
      socket.off("error", reject)
      // What ends a connection shows in what was heard until then.
      socket.on("error", () => {})
      resolve(socket)
    })
    socket.once("error", reject)
  })

/** How long the first answer is as far as it says; 100 Continue is none. */
const lengthOfAnswer = (bytes: Buffer, hasBody: boolean): number => {
  let start = 0
  for (;;) {
    const end = bytes.indexOf("\r\n\r\n", start)
    if (end === -1) return Number.POSITIVE_INFINITY
    const head = bytes.toString("latin1", start, end + 2)
    const status = Number(head.slice(9, 12))
    if (status >= 100 && status < 200) {
      start = end + 4
      continue
    }
    if (!hasBody || status === 204 || status === 304) return end + 4
    return end + 4 + Number(/\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1] ?? 0)
  }
}
