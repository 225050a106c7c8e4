/** Times requests to a service in pairs, in an order that is drawn by lot, and tests the differences. */
import { operatorToken } from "@postcode/conformance/wire"
import { type GatewayOptions, type GatewayPorts, makeGateway, serve } from "@postcode/http"
import { Effect, Redacted } from "effect"
import type { RandomNumbers } from "../../test/RandomNumbers.ts"
import { KeepAlive, type Timed } from "./KeepAlive.ts"
import { signedRankZ } from "./SignedRank.ts"

export interface Timing {
  /** Positive where the known identifiers take longer. */
  readonly z: number
  readonly median_us: { readonly known: number; readonly unknown: number }
  readonly medianDifference_us: number
  /** Pairs whose answers were equal in bytes, if they have to be. */
  readonly equalPairs?: number
}

/** As many of each kind; requests are repeated if there are fewer than pairs. */
export interface Requests {
  readonly known: ReadonlyArray<Buffer>
  readonly unknown: ReadonlyArray<Buffer>
}

/** A request with its head. */
export const message = (head: ReadonlyArray<string>, body = ""): Buffer =>
  Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`)

/** What is timed at a service. */
export interface PairTiming {
  /** The service is on these stores, and opened with these options. */
  readonly options: Partial<GatewayOptions>
  /** Asks for what the requests need, on the connection that is timed then. */
  readonly requests: (connection: KeepAlive, url: string) => Promise<Requests>
  readonly pairs: number
  readonly random: RandomNumbers
  /** Of every answer, 200 by default; another one ends the measurement. */
  readonly status?: number
  /** Whether both answers of every pair must be equal in bytes, except for what differs between any two requests. */
  readonly areEqual?: boolean
}

/** Times pairs of requests at a service on the given stores. */
export const timeService = (timing: PairTiming): Effect.Effect<Timing, unknown, GatewayPorts> =>
  Effect.scoped(
    Effect.gen(function* () {
      const gateway = yield* makeGateway({ operatorToken: Redacted.make(operatorToken), ...timing.options })
      const { port, url } = yield* serve(gateway, { port: 0, host: "127.0.0.1", drain_ms: 0 })
      return yield* Effect.promise(async () => {
        const connection = await KeepAlive.open(port)
        try {
          return await timePairs(connection, await timing.requests(connection, url), timing)
        } finally {
          connection.close()
        }
      })
    })
  )

/** Asks for both of each pair, one after the other. */
const timePairs = async (
  connection: KeepAlive,
  { known, unknown }: Requests,
  { areEqual = false, pairs, random, status = 200 }: PairTiming
): Promise<Timing> => {
  const times = { known: [] as Array<number>, unknown: [] as Array<number> }
  let equalPairs = 0
  const time = async (request: Buffer): Promise<Timed> => {
    const timed = await connection.ask(request)
    if (!timed.answer.startsWith(`HTTP/1.1 ${status} `)) throw new Error(`answered ${timed.answer.slice(0, 12)}`)
    return timed
  }
  const warmUp = Math.ceil(pairs / 10)
  for (const [pair, isKnownFirst] of [...drawOrders(warmUp, random), ...drawOrders(pairs, random)].entries()) {
    // Both go round their people in the same order, so one is as long ago as the other.
    const [somebody, nobody] = [known[pair % known.length], unknown[pair % unknown.length]] as [Buffer, Buffer]
    const first = await time(isKnownFirst ? somebody : nobody)
    const second = await time(isKnownFirst ? nobody : somebody)
    if (areEqual) expectEqual(first.answer, second.answer)
    if (pair < warmUp) continue
    equalPairs++
    times.known.push(isKnownFirst ? first.time_ns : second.time_ns)
    times.unknown.push(isKnownFirst ? second.time_ns : first.time_ns)
  }
  const differences = times.known.map((time, pair) => time - (times.unknown[pair] as number))
  return {
    z: signedRankZ(differences),
    median_us: { known: median(times.known) / 1e3, unknown: median(times.unknown) / 1e3 },
    medianDifference_us: median(differences) / 1e3,
    ...(areEqual && { equalPairs })
  }
}

const expectEqual = (first: string, second: string): void => {
  if (comparable(first) !== comparable(second)) throw new Error(`the answers differ:\n${first}\n${second}`)
}

/** An answer without what differs between any two requests: the characters of an id and of a time, and rate limits. */
const comparable = (answer: string): string =>
  answer
    .replace(/^x-ratelimit-\w+: .*\r\n/gim, "")
    .replace(/^(x-request-id|date): (.*)\r$/gim, (_, name, value) => `${name}: ${value.replace(/[0-9a-z]/gi, "*")}\r`)

/** Whether the known one comes first: by lot, but as often as not, since the first request may wait longer for that. */
const drawOrders = (pairs: number, random: RandomNumbers): ReadonlyArray<boolean> =>
  Array.from({ length: pairs }, (_, pair) => ({ isKnownFirst: pair % 2 === 0, lot: random() }))
    .sort((a, b) => a.lot - b.lot)
    .map(({ isKnownFirst }) => isKnownFirst)

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] as number
