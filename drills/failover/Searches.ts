/** Searches without a key and with one, on every replica, one after the other until they are stopped. */
import { Agent } from "node:http"
import { setTimeout } from "node:timers/promises"
import { send } from "../kit/Clients.ts"

interface SearchOptions {
  readonly ports: ReadonlyArray<number>
  readonly secret: string
  readonly postcodes: ReadonlyArray<string>
}

interface SearchTally {
  free: number
  keyed: number
  slowest_ms: number
  /** What was not answered 200: the path, the status, 0 if the answer was lost, and the time it took. */
  readonly failed: Array<string>
}

const pause_ms = 100

export const emptyTally = (): SearchTally => ({ free: 0, keyed: 0, slowest_ms: 0, failed: [] })

export const runSearches = async (
  options: SearchOptions,
  signal: AbortSignal,
  tally: SearchTally = emptyTally()
): Promise<SearchTally> => {
  const targets = [
    (postcode: string) => `/v1/search/autocomplete?q=${postcode.slice(0, 6)}`,
    () => "/v1/search/reverse?lat=6.6&lng=3.35",
    (postcode: string) => `/v1/lookup?code=${postcode}`
  ]
  const search = async (port: number, pathOf: (postcode: string) => string, secret: string | undefined) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let i = 0; !signal.aborted; i++) {
      const path = pathOf(options.postcodes[i % options.postcodes.length] as string)
      const { answered_ms, sent_ms, status } = await send({ port, path, agent, secret, request_id: "search" })
      const took_ms = answered_ms - sent_ms
      tally[secret === undefined ? "free" : "keyed"]++
      tally.slowest_ms = Math.max(tally.slowest_ms, took_ms)
      if (status !== 200) tally.failed.push(`${path}: ${status} after ${Math.round(took_ms)} ms`)
      await setTimeout(pause_ms)
    }
    agent.destroy()
  }
  const kinds = [
    ...targets.flatMap((pathOf) => [undefined, options.secret].map((secret) => ({ pathOf, secret }))),
    // With a key, it can cost a credit.
    { pathOf: () => "/v1/search/address?q=Ikeja,%20Lagos", secret: undefined }
  ]
  await Promise.all(options.ports.flatMap((port) => kinds.map(({ pathOf, secret }) => search(port, pathOf, secret))))
  return tally
}
