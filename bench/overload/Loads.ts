/** The loads on a pair of services, and their measurements. */
import type { Figure } from "../Bench.ts"
import type { Child } from "../http/Child.ts"
import type { OpenLoad, Stream, StreamResult } from "./openLoop.ts"
import { Series } from "./Series.ts"
import type { Side } from "./Side.ts"
import type { SlowClients } from "./slowClients.ts"

/** Two services that differ only in load control. */
export type Pair = Readonly<Record<Side["name"], Side>>

export type Kind = "free" | "paid"

export interface LoadSettings {
  /** Connections per stream of requests. */
  readonly connections: number
  readonly slowClients: number
  /** The warm-up and the measured time of each load. */
  readonly settle_s: number
  readonly time_s: number
  readonly progress: (message: string) => void
}

const flooded = 3
const half = 0.5

/** Connections that saturate the service with each kind of request. */
const busyConnections = { free: 64, paid: 256 } as const

export class Loads {
  private readonly settings: LoadSettings
  private readonly asking: Child<OpenLoad, ReadonlyArray<StreamResult>>
  private readonly slow: Child<SlowClients, void>
  private readonly series = new Series()
  private turn = 0

  constructor(
    settings: LoadSettings,
    asking: Child<OpenLoad, ReadonlyArray<StreamResult>>,
    slow: Child<SlowClients, void>
  ) {
    this.settings = settings
    this.asking = asking
    this.slow = slow
  }

  /** Half of the service's capacity for a kind, and three times that. */
  async flood(kind: Kind, pair: Pair): Promise<void> {
    const capacity = await this.capacity(kind, pair)
    for (const side of this.inTurn(pair)) {
      const calm = await this.ask(side, { [kind]: capacity * half })
      const over = await this.ask(side, { [kind]: capacity * flooded })
      const note = this.noteOf(`${titles[kind]} at 3 times the capacity`, side)
      note("served, of the capacity", "", "more", over[kind].served_per_s / capacity)
      note("99 % of the served answered within", "ms", "less", over[kind].p99_ms)
      note("the same at half of the capacity", "ms", "less", calm[kind].p99_ms)
      note("how many times as long", "", "less", over[kind].p99_ms / calm[kind].p99_ms)
      note("refused", "requests/s", "less", over[kind].refused_per_s)
      this.warnOfLag(kind, over[kind])
    }
  }

  /** Half of the capacity for one kind, next to three times the capacity for the other. */
  async beside(flood: Kind, kind: Kind, pair: Pair): Promise<void> {
    const rate_per_s = half * (await this.capacity(kind, pair))
    const flood_per_s = flooded * (await this.capacity(flood, pair))
    for (const side of this.inTurn(pair)) {
      const results = await this.ask(side, { [kind]: rate_per_s, [flood]: flood_per_s })
      const note = this.noteOf(`${kind} requests at half of the capacity, ${flood} ones at 3 times`, side)
      note(`${kind} ones served`, "", "more", results[kind].served_per_s / rate_per_s)
      note(`99 % of the served ${kind} ones answered within`, "ms", "less", results[kind].p99_ms)
      note(`${flood} ones served, of the capacity`, "", "more", (results[flood].served_per_s * flooded) / flood_per_s)
    }
  }

  /** Half of the capacity, with and without clients that send headers or bodies slowly. */
  async besideSlow(pair: Pair): Promise<void> {
    const rate_per_s = half * (await this.capacity("free", pair))
    const { service } = pair.controlled
    const connections = this.settings.slowClients
    const note = this.noteOf(`${titles.free} at half of the capacity`, pair.controlled)
    const slowAt =
      this.turn++ % 2 === 0 ? ([undefined, "headers", "body"] as const) : (["body", "headers", undefined] as const)
    const times_ms = new Map<string | undefined, number>()
    for (const at of slowAt) {
      await this.slow.tell({ port: service.port, connections, slowAt: at })
      times_ms.set(at, (await this.ask(pair.controlled, { free: rate_per_s })).free.p99_ms)
    }
    await this.slow.tell({ port: service.port, connections, slowAt: undefined })
    const alone_ms = times_ms.get(undefined) ?? Number.NaN
    for (const at of ["headers", "body"] as const) {
      const beside = `beside ${connections} clients with slow ${at === "body" ? "bodies" : at}`
      note(`99 % answered within, ${beside}`, "ms", "less", times_ms.get(at) ?? Number.NaN)
      note(`how many times as long, ${beside}`, "", "less", (times_ms.get(at) ?? Number.NaN) / alone_ms)
    }
  }

  figures(): Iterable<Figure> {
    return this.series.figures()
  }

  /** Without load control, which could refuse requests below the capacity. */
  private async capacity(kind: Kind, { bare }: Pair): Promise<number> {
    const rate = Number.POSITIVE_INFINITY
    const { refused_per_s, served_per_s } = (await this.ask(bare, { [kind]: rate }, busyConnections[kind]))[kind]
    const where = bare.isOnDatabase ? "on PostgreSQL" : "in memory"
    if (served_per_s === 0)
      throw new Error(`${titles[kind]}: none was served in a closed loop, ${refused_per_s}/s were refused`)
    this.series.add(`${titles[kind]}: capacity ${where}`, "requests/s", "more", "controlled", served_per_s)
    return served_per_s
  }

  private async ask(
    side: Side,
    rates: Partial<Record<Kind, number>>,
    connections = this.settings.connections
  ): Promise<Readonly<Record<Kind, StreamResult>>> {
    const kinds = Object.keys(rates) as ReadonlyArray<Kind>
    const streams = kinds.map((kind): Stream => ({ requests: side[kind], connections, rate_per_s: rates[kind] ?? 0 }))
    const { settle_s, time_s } = this.settings
    const { port } = side.service
    const results = await this.asking.tell({ port, streams, settle_s, time_s, busyWaits: !side.isOnDatabase })
    return Object.fromEntries(kinds.map((kind, i) => [kind, results[i]])) as Record<Kind, StreamResult>
  }

  private inTurn({ bare, controlled }: Pair): ReadonlyArray<Side> {
    return this.turn++ % 2 === 0 ? [controlled, bare] : [bare, controlled]
  }

  private noteOf(title: string, { name }: Side) {
    return (figure: string, unit: string, better: "less" | "more", value: number): void =>
      this.series.add(`${title}: ${figure}`, unit, better, name, value)
  }

  private warnOfLag(kind: Kind, { lag_p99_ms, p99_ms }: StreamResult): void {
    if (lag_p99_ms * 2 >= p99_ms)
      this.settings.progress(`${titles[kind]}: who asks was late itself, by ${lag_p99_ms.toFixed(1)} ms at 99 %`)
  }
}

const titles = { free: "free requests", paid: "paid lookups" } as const
