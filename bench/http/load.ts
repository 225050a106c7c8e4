/**
 * Asks a server as many things as it is told, on so many connections, each of which asks for the next as soon as it has
 * its answer. It speaks just as much HTTP as it needs, so that most of the machine is left to whoever answers.
 */
import { once } from "node:events"
import { connect, type Socket } from "node:net"

export interface Load {
  readonly port: number
  readonly connections: number
  /** Whole requests as they go out. */
  readonly requests: ReadonlyArray<Uint8Array>
  /**
   * Whether to look for answers all the time. Else this process sleeps wherever the server is the slower one, and the
   * server pays for waking it.
   */
  readonly awake: boolean
}

/** How long an answer took, from the request to its last byte. */
export interface LoadResult {
  readonly p50_ms: number
  readonly p99_ms: number
}

/**
 * Whoever is refused for now, as on a machine that has other things to do, asks again when it is told to: its time goes
 * on.
 *
 * @throws Error if any answer is another one than 200 or 503
 */
export const runLoad = async ({ awake, connections, port, requests }: Load): Promise<LoadResult> => {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const times_ms = new Float64Array(requests.length)
  let next = 0
  const stayAwake = (): void => {
    if (next <= requests.length) setImmediate(stayAwake)
  }
  if (awake) stayAwake()
  try {
    await Promise.all(
      sockets.map((socket) =>
        askAll(socket, () => {
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

/** The value that so large a part of them does not exceed. */
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

/** Asks on one connection until there is no next request. */
const askAll = (socket: Socket, next: () => Turn | undefined): Promise<void> =>
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
