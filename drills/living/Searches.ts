/**
 * Searches of random units on every replica, in an open loop: each is due at a random time, and its latency starts then,
 * whatever the answers before it take.
 */
import { Agent, request } from "node:http"
import { setTimeout } from "node:timers/promises"
import { randomNumbers } from "../../test/RandomNumbers.ts"
import { DemoSample, type Place } from "../kit/DemoSample.ts"

export interface SearchOptions {
  readonly ports: ReadonlyArray<number>
  readonly secret: string
  readonly units: number
  readonly seed: number
  /** Searches a second on each replica. */
  readonly rate: number
}

/** Answers since the last report. */
export interface SearchTally {
  /** Latencies of answers of 200 in milliseconds, by kind. */
  readonly times_ms: Readonly<Record<string, ReadonlyArray<number>>>
  /** Other answers, by status; 0 stands for those that were lost. */
  readonly failed: Readonly<Record<number, number>>
  readonly lags_ms: ReadonlyArray<number>
}

type Random = () => number

/** The target of each kind of search. */
const kinds: Readonly<Record<string, (unit: Place, random: Random) => string>> = {
  reverse: (unit, random) => `/v1/search/reverse?${near(unit, random, 20)}`,
  nearby: (unit, random) => `/v1/search/nearby?${near(unit, random, 100)}&limit=10`,
  autocomplete: ({ postcode }, random) =>
    `/v1/search/autocomplete?q=${postcode.slice(0, 4 + Math.floor(9 * random()))}`,
  "lookup, level 1": ({ postcode }) => `/v1/lookup?code=${postcode}`,
  "lookup, level 2": ({ postcode }) => `/v1/lookup?code=${postcode}&level=2`
}

const near = ({ lat_e7, lon_e7 }: Place, random: Random, reach_m: number): string => {
  const step = () => ((2 * random() - 1) * reach_m) / 111_000
  return `lat=${(lat_e7 / 1e7 + step()).toFixed(7)}&lng=${(lon_e7 / 1e7 + step()).toFixed(7)}`
}

export class Searches {
  private readonly options: SearchOptions
  private readonly places: ReadonlyArray<Place>
  private readonly random: Random
  private tally = emptyTally()

  constructor(options: SearchOptions) {
    this.options = options
    this.places = new DemoSample(options, sampled).places
    this.random = randomNumbers(options.seed + 5)
  }

  async run(): Promise<void> {
    await Promise.all(this.options.ports.map((port) => this.search(port)))
  }

  /** The answers since the last call. */
  take(): SearchTally {
    const taken = this.tally
    this.tally = emptyTally()
    return taken
  }

  private async search(port: number): Promise<never> {
    const agent = new Agent({ keepAlive: true, maxSockets: 32 })
    for (let due_ms = performance.now(); ; due_ms += (-Math.log(1 - this.random()) * 1_000) / this.options.rate) {
      const wait_ms = due_ms - performance.now()
      if (wait_ms > 0) await setTimeout(wait_ms)
      this.send(port, agent, due_ms)
    }
  }

  private send(port: number, agent: Agent, due_ms: number): void {
    const names = Object.keys(kinds)
    const kind = names[Math.floor(this.random() * names.length)] as string
    const unit = this.places[Math.floor(this.random() * this.places.length)] as Place
    const path = (kinds[kind] as (typeof kinds)[string])(unit, this.random)
    this.tally.lags_ms.push(performance.now() - due_ms)
    let isCounted = false
    const count = (status: number) => {
      if (isCounted) return
      isCounted = true
      const { failed, times_ms } = this.tally
      if (status !== 200) failed[status] = (failed[status] ?? 0) + 1
      else {
        times_ms[kind] ??= []
        times_ms[kind].push(performance.now() - due_ms)
      }
    }
    const headers = { "x-api-key": this.options.secret }
    const sent = request({ host: "127.0.0.1", port, path, headers, agent, timeout: timeout_ms })
    sent.on("timeout", () => sent.destroy())
    sent.on("error", () => count(0))
    sent.on("response", (response) => {
      response
        .on("error", () => count(0))
        .on("aborted", () => count(0))
        .resume()
      response.on("end", () => count(response.statusCode ?? 0))
    })
    sent.end()
  }
}

const emptyTally = () => ({
  times_ms: {} as Record<string, Array<number>>,
  failed: {} as Record<number, number>,
  lags_ms: [] as Array<number>
})

/** More than any cache has. */
const sampled = 50_000

const timeout_ms = 10_000
