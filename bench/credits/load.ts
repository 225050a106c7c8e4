/**
 * Repeats one request on many concurrent connections. Its HTTP client is minimal, so that most of the machine is left
 * to the server.
 */
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { setTimeout } from "node:timers/promises"
import { isWhole } from "../http/load.ts"

export interface Load {
  readonly port: number
  readonly path: string
  readonly key: string
  readonly connections: number
  readonly duration_ms: number
}

export interface LoadResult {
  /** Responses with 200; the next two figures are of these. */
  readonly answers: number
  readonly answers_s: number
  readonly p99_ms: number
  /** Responses with 503, on an overloaded machine. */
  readonly refused: number
}

/** @throws Error on a response other than 200 or 503 */
export const runLoad = async ({ connections, duration_ms, key, path, port }: Load): Promise<LoadResult> => {
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${key}\r\n\r\n`)
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const times_ms: Array<number> = []
  let refused = 0
  const start_ms = performance.now()
  const end_ms = start_ms + duration_ms
  const ask = async (socket: Socket): Promise<void> => {
    while (performance.now() < end_ms) {
      const asked_ms = performance.now()
      socket.write(request)
      if ((await receiveStatus(socket)) === 200) times_ms.push(performance.now() - asked_ms)
      else {
        refused++
        await setTimeout(pause_ms)
      }
    }
  }
  try {
    await Promise.all(sockets.map(ask))
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  const took_s = (performance.now() - start_ms) / 1_000
  times_ms.sort((a, b) => a - b)
  return {
    answers: times_ms.length,
    answers_s: times_ms.length / took_s,
    p99_ms: times_ms[Math.ceil(times_ms.length * 0.99) - 1] ?? Number.NaN,
    refused
  }
}

/** The pause of a connection after a 503. */
const pause_ms = 100

const open = async (port: number): Promise<Socket> => {
  const socket = connect(port, "127.0.0.1").setNoDelay()
  await once(socket, "connect")
  // The connection is then closed, which the pending read reports.
  socket.on("error", () => {})
  return socket
}

/** Reads a whole response. */
const receiveStatus = (socket: Socket): Promise<200 | 503> =>
  new Promise((resolve, reject) => {
    let received = ""
    const onData = (bytes: Buffer): void => {
      received += bytes.toString("latin1")
      if (!isWhole(received)) return
      stopListening()
      if (received.startsWith("HTTP/1.1 200 ")) resolve(200)
      else if (received.startsWith("HTTP/1.1 503 ")) resolve(503)
      else reject(new Error(`expected 200, found: ${received.slice(0, 500)}`))
    }
    const onClose = (): void => {
      stopListening()
      reject(new Error("the service closed a connection"))
    }
    const stopListening = (): void => {
      socket.off("data", onData)
      socket.off("close", onClose)
    }
    socket.on("data", onData)
    socket.on("close", onClose)
  })
