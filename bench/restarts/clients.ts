/** Clients that send requests one by one and check every response. */
import { Agent, request } from "node:http"
import { text } from "node:stream/consumers"
import { setTimeout } from "node:timers/promises"
import type { ClientRequest } from "../http/Traffic.ts"

export interface Outcome {
  readonly answered: number
  /** Errors and their counts. */
  readonly failures: ReadonlyMap<string, number>
  /** The ids of the answered requests that cost credits. */
  readonly paid: ReadonlySet<string>
  /** From a request to its complete response. */
  readonly times_ms: ReadonlyArray<number>
}

export interface LoadClients {
  readonly stop: () => Promise<Outcome>
}

/** Each client has a persistent connection, and pauses between a response and the next request. */
export const startClients = (port: number, count: number, pause_ms: number, draw: () => ClientRequest): LoadClients => {
  const failures = new Map<string, number>()
  const paid = new Set<string>()
  const times_ms: Array<number> = []
  let asked = 0
  let isStopped = false
  const run = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!isStopped) {
      const id = `restarts-${asked++}`
      const start_ms = performance.now()
      const { failure, isPaid } = await ask(agent, port, draw(), id)
      times_ms.push(performance.now() - start_ms)
      if (failure !== undefined) failures.set(failure, (failures.get(failure) ?? 0) + 1)
      else if (isPaid) paid.add(id)
      await setTimeout(pause_ms)
    }
    agent.destroy()
  }
  const running = Promise.all(Array.from({ length: count }, run))
  return {
    stop: async () => {
      isStopped = true
      await running
      return { answered: times_ms.length, failures, paid, times_ms }
    }
  }
}

interface Answered {
  readonly failure?: string
  readonly isPaid?: boolean
}

const ask = (agent: Agent, port: number, { headers, method, target }: ClientRequest, id: string): Promise<Answered> =>
  new Promise((resolve) => {
    const sent = request({
      agent,
      port,
      host: "127.0.0.1",
      method,
      path: target,
      headers: { ...headers, "x-request-id": id }
    })
    sent.on("error", ({ code, message }: NodeJS.ErrnoException) => resolve({ failure: code ?? message }))
    sent.on("response", async (answer) => {
      const body = await text(answer).catch((error: Error) => error.message)
      const isWhole = answer.statusCode === 200 && body.startsWith('{"data":') && answer.headers["x-request-id"] === id
      if (isWhole) resolve({ isPaid: Number(answer.headers["x-credits-charged"] ?? 0) > 0 })
      else resolve({ failure: `${answer.statusCode} ${body.slice(0, 200)}` })
    })
    sent.end()
  })
