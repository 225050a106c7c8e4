/** Clients that search and pay through nginx without pause, and write down every response. */
import { Agent, request } from "node:https"
import { randomNumbers } from "../../test/RandomNumbers.ts"
import { type Attempt, type Payer, runClient } from "../kit/Clients.ts"
import { DemoSample } from "../kit/DemoSample.ts"
import { makeCustomer } from "../kit/Installation.ts"

export interface TrafficOptions {
  readonly http: number
  readonly https: number
  /** The certificate of nginx. */
  readonly ca: string
  readonly searchers: number
  readonly payers: number
}

/** One search as it went out. The status is 0 if the response was lost. */
export interface Search {
  readonly sent_ms: number
  readonly answered_ms: number
  readonly status: number
}

export interface Traffic {
  readonly searches: ReadonlyArray<Search>
  readonly attempts: ReadonlyArray<Attempt>
  /** Returns when all requests are answered. */
  readonly stop: () => Promise<void>
}

export const startTraffic = async ({ ca, http, https, payers, searchers }: TrafficOptions): Promise<Traffic> => {
  const { id, secret } = await makeCustomer({ url: `http://127.0.0.1:${http}` }, 1_000_000_000)
  const payer: Payer = { account: `${id} live`, secret }
  const postcodes = fullyKnown()
  const searches: Array<Search> = []
  const attempts: Array<Attempt> = []
  const abort = new AbortController()
  const scene = { ports: [https], payers: [payer], postcodes, ca }
  const running = [
    ...Array.from({ length: payers }, (_, i) =>
      runClient(`c${i}`, scene, randomNumbers(i), abort.signal, (attempt) => void attempts.push(attempt))
    ),
    ...Array.from({ length: searchers }, async (_, i) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1, ca, servername: "localhost" })
      for (let at = i; !abort.signal.aborted; at++) {
        const text = (postcodes[at % postcodes.length] as string).slice(0, 4 + (at % 9))
        searches.push(await search(agent, https, secret, text))
      }
      agent.destroy()
    })
  ]
  return {
    searches,
    attempts,
    stop: async () => {
      abort.abort()
      await Promise.all(running)
    }
  }
}

/** Postcodes of which everything is known, so that every level has its full price. */
const fullyKnown = (): ReadonlyArray<string> => {
  const sample = new DemoSample({ units: demonstrationUnits, seed: 1 }, 5_000)
  return sample.places
    .filter(({ active, postcode }) => active && Object.keys(sample.unit(postcode)?.attributes ?? {}).length === 6)
    .map(({ postcode }) => postcode)
}

/** As many as the service `directory` of compose.yaml imports. */
const demonstrationUnits = 250_000

const search = (agent: Agent, port: number, secret: string, text: string): Promise<Search> =>
  new Promise((resolve) => {
    const sent_ms = performance.now()
    const answer = (status: number) => resolve({ sent_ms, answered_ms: performance.now(), status })
    const path = `/v1/search/autocomplete?q=${text}`
    const sent = request({ host: "127.0.0.1", port, path, agent, headers: { "x-api-key": secret }, timeout: 15_000 })
    sent.on("timeout", () => sent.destroy())
    sent.on("error", () => answer(0))
    sent.on("response", (response) => {
      response.on("error", () => answer(0)).resume()
      response.on("end", () => answer(response.complete ? (response.statusCode ?? 0) : 0))
    })
    sent.end()
  })
