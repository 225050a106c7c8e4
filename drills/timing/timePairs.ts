/** Times requests to a service in pairs, in an order that is drawn by lot, and tests the differences. */
import { operatorToken } from "@postcode/conformance/wire"
import { type GatewayOptions, type GatewayPorts, makeGateway, serve } from "@postcode/http"
import { Effect, Redacted } from "effect"
import type { RandomNumbers } from "../../test/RandomNumbers.ts"
import { KeepAlive } from "./KeepAlive.ts"
import { signedRankZ } from "./SignedRank.ts"

export interface Timing {
  /** Positive where the known identifiers take longer. */
  readonly z: number
  readonly median_us: { readonly known: number; readonly unknown: number }
  readonly medianDifference_us: number
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
}

/** Times pairs of requests at a service on the given stores. */
export const timeService = ({
  options,
  pairs,
  random,
  requests,
  status = 200
}: PairTiming): Effect.Effect<Timing, unknown, GatewayPorts> =>
  Effect.scoped(
    Effect.gen(function* () {
      const gateway = yield* makeGateway({ operatorToken: Redacted.make(operatorToken), ...options })
      const { port, url } = yield* serve(gateway, { port: 0, host: "127.0.0.1", drain_ms: 0 })
      return yield* Effect.promise(async () => {
        const connection = await KeepAlive.open(port)
        try {
          return await timePairs(connection, await requests(connection, url), pairs, random, status)
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
  pairs: number,
  random: RandomNumbers,
  status: number
): Promise<Timing> => {
  const times = { known: [] as Array<number>, unknown: [] as Array<number> }
  const time = async (request: Buffer): Promise<number> => {
    const { answer, time_ns } = await connection.ask(request)
    if (!answer.startsWith(`HTTP/1.1 ${status} `)) throw new Error(`answered ${answer.slice(0, 12)}`)
    return time_ns
  }
  const warmUp = Math.ceil(pairs / 10)
  for (const [pair, isKnownFirst] of [...drawOrders(warmUp, random), ...drawOrders(pairs, random)].entries()) {
    // Both go round their people in the same order, so one is as long ago as the other.
    const [somebody, nobody] = [known[pair % known.length], unknown[pair % unknown.length]] as [Buffer, Buffer]
    const first = await time(isKnownFirst ? somebody : nobody)
    const second = await time(isKnownFirst ? nobody : somebody)
    if (pair < warmUp) continue
    times.known.push(isKnownFirst ? first : second)
    times.unknown.push(isKnownFirst ? second : first)
  }
  const differences = times.known.map((time, pair) => time - (times.unknown[pair] as number))
  return {
    z: signedRankZ(differences),
    median_us: { known: median(times.known) / 1e3, unknown: median(times.unknown) / 1e3 },
    medianDifference_us: median(differences) / 1e3
  }
}

/** Whether the known one comes first: by lot, but as often as not, since the first request may wait longer for that. */
const drawOrders = (pairs: number, random: RandomNumbers): ReadonlyArray<boolean> =>
  Array.from({ length: pairs }, (_, pair) => ({ isKnownFirst: pair % 2 === 0, lot: random() }))
    .sort((a, b) => a.lot - b.lot)
    .map(({ isKnownFirst }) => isKnownFirst)

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] as number
