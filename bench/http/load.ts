/**
 * Sends requests on concurrent connections, each of which sends the next one after its response. Its HTTP client is
 * minimal, so that most of the machine is left to the server.
 */
import { once } from "node:events"
import { connect, type Socket } from "node:net"

export interface Load {
  readonly port: number
  readonly connections: number
  /** Complete requests as bytes. */
  readonly requests: ReadonlyArray<Uint8Array>
  /**
   * Whether to busy-wait for responses. Otherwise this process sleeps while the server is slower, and waking it costs
   * the server.
   */
  readonly busyWaits: boolean
}

/** The latency of a response, from the request to its last byte. */
export interface LoadResult {
  readonly p50_ms: number
  readonly p99_ms: number
}

/**
 * A request that gets 503 is sent again after `Retry-After`; its latency includes the wait.
 *
 * @throws Error on a response other than 200 or 503
 */
export const runLoad = async ({ busyWaits, connections, port, requests }: Load): Promise<LoadResult> => {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const times_ms = new Float64Array(requests.length)
  let next = 0
  const busyWait = (): void => {
    if (next <= requests.length) setImmediate(busyWait)
  }
  if (busyWaits) busyWait()
  try {
    await Promise.all(
      sockets.map((socket) =>
        sendAll(socket, () => {
          const number = next++
          const request = requests[number]
          const asked_ms = performance.now()
          const answered = () => {
            times_ms[number] = performance.now() - asked_ms
          }
          return request && { request, answered }
        })
      )
    )
  } finally {
    next = Number.POSITIVE_INFINITY
    for (const socket of sockets) socket.destroy()
  }
  times_ms.sort()
  return { p50_ms: percentile(times_ms, 0.5), p99_ms: percentile(times_ms, 0.99) }
}

/** The value that this fraction of them does not exceed. */
export const percentile = (sorted: Float64Array, part: number): number =>
  sorted[Math.ceil(sorted.length * part) - 1] as number

const open = async (port: number): Promise<Socket> => {
  const socket = connect(port, "127.0.0.1").setNoDelay()
  await once(socket, "connect")
  return socket
}

interface Turn {
  readonly request: Uint8Array
  readonly answered: () => void
}

/** Sends requests on one connection until there are no more. */
const sendAll = (socket: Socket, next: () => Turn | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    let turn = next()
    if (turn === undefined) return resolve()
    let received = ""
    socket.on("data", (bytes: Buffer) => {
      received += bytes.toString("latin1")
      if (!isWhole(received)) return
      const answer = received
      received = ""
      if (answer.startsWith("HTTP/1.1 503 ")) {
        setTimeout(() => turn && socket.write(turn.request), 1000 * retryAfter_s(answer))
        return
      }
      if (!answer.startsWith("HTTP/1.1 200 ")) return reject(new Error(`expected 200, found: ${answer}`))
      turn?.answered()
      turn = next()
      if (turn === undefined) resolve()
      else socket.write(turn.request)
    })
    socket.on("error", reject)
    socket.on("close", () => reject(new Error("the server closed a connection")))
    socket.write(turn.request)
  })

export const isWhole = (received: string): boolean => {
  const head = received.indexOf("\r\n\r\n")
  if (head === -1) return false
  const length = received.indexOf(lengthName)
  return received.length >= head + 4 + Number.parseInt(received.slice(length + lengthName.length, head), 10)
}

const lengthName = "\r\ncontent-length: "

const retryAfter_s = (answer: string): number => Number(/\r\nretry-after: (\d+)\r\n/.exec(answer)?.[1] ?? 1)
