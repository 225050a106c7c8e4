/** Sends requests on persistent connections: at full speed, or on a schedule independent of responses. */
import { setTimeout as sleep } from "node:timers/promises"
import { ClientConnection, type MixedRequest } from "./ClientConnection.ts"

export interface Pace {
  /** Undefined for full speed. */
  readonly rate_per_s?: number
  readonly connections: number
}

export interface LoadResult {
  readonly answered: number
  /** The requests that the service refused for load. */
  readonly refused: number
  /** The latency of answered requests. */
  readonly rate_per_s: number
  /** From the due time of a request to the last byte of its response. */
  readonly p50_ms: number
  readonly p99_ms: number
}

export class MixedLoad {
  private readonly connections: Array<ClientConnection> = []
  private readonly port: number

  constructor(port: number) {
    this.port = port
  }

  /**
   * Sends requests until `next` returns none.
   *
   * @throws Error if a response is not accepted, or there is none
   */
  async run(next: () => MixedRequest | undefined, { connections, rate_per_s }: Pace): Promise<LoadResult> {
    const times_ms: Array<number> = []
    const started_ms = performance.now()
    let asked = 0
    let refused = 0
    let failed = false
    const sendAll = async (connection: ClientConnection): Promise<void> => {
      for (let request = next(); request !== undefined && !failed; request = next()) {
        const due_ms = rate_per_s === undefined ? performance.now() : started_ms + (asked++ * 1_000) / rate_per_s
        const wait_ms = due_ms - performance.now()
        if (wait_ms > 0) await sleep(wait_ms)
        if (await connection.ask(request)) times_ms.push(performance.now() - due_ms)
        else refused++
      }
    }
    while (this.connections.length < connections) this.connections.push(new ClientConnection(this.port))
    const all = this.connections.slice(0, connections).map(sendAll)
    await Promise.all(all).catch((error) => {
      failed = true
      throw error
    })
    times_ms.sort((a, b) => a - b)
    const percentile = (part: number) => times_ms[Math.ceil(times_ms.length * part) - 1] ?? 0
    const answered = times_ms.length
    const time_s = (performance.now() - started_ms) / 1_000
    return { answered, refused, rate_per_s: answered / time_s, p50_ms: percentile(0.5), p99_ms: percentile(0.99) }
  }
}
