/**
 * Asks every replica, again and again, for units that are being changed, and writes down what it showed at which
 * version. What is written down is compared with the database at the end.
 */
import { Agent, type IncomingMessage, request } from "node:http"
import { setTimeout } from "node:timers/promises"
import { parseVersion } from "@postcode/core/Directory"
import { now_ms } from "./Journal.ts"

export interface WatcherOptions {
  readonly ports: ReadonlyArray<number>
  /** Of each replica: enough that each of its threads has one. */
  readonly connections: number
  readonly secret: string
  /** The postcode of a unit to ask for until some are changed. */
  readonly postcode: string
}

/** The first answer of a connection at a version. */
export interface Seen {
  readonly at_ms: number
  readonly edition: string
  readonly changes: number
}

/** An answer to a batch lookup. */
export interface Observation {
  readonly replica: number
  readonly edition: string
  readonly changes: number
  readonly level: 1 | 5
  readonly results: ReadonlyArray<ShownUnit>
}

/** A unit in an answer to a lookup. */
export interface ShownUnit {
  readonly postcode: string
  readonly status: "valid" | "retired" | "not_found"
  readonly replaced_by?: string
  readonly administrative_address?: { readonly locality_name?: string }
  readonly recent_house_address?: { readonly recent?: string }
  readonly building_use_status?: string
  readonly other_building_info?: {
    readonly type?: string
    readonly owner?: string
    readonly delivery_point?: boolean
  }
  readonly point_geometry?: { readonly coordinates: readonly [lon: number, lat: number] }
}

/** A connection to one thread of a replica. */
interface Connection {
  readonly replica: number
  readonly seen: Array<Seen>
  /** Whether the last request was answered by a service with the newest version. */
  latest: Seen | undefined
}

export class Watcher {
  readonly observations: Array<Observation> = []
  /** Versions that went back on one connection. */
  readonly backwards: Array<string> = []
  private readonly options: WatcherOptions
  private readonly connections: ReadonlyArray<Connection>
  private readonly running: ReadonlyArray<Promise<void>>
  /** The newest first. */
  private recent: ReadonlyArray<string> = []
  private isStopped = false

  constructor(options: WatcherOptions) {
    this.options = options
    this.connections = options.ports.flatMap((_, replica) =>
      Array.from({ length: options.connections }, () => ({ replica, seen: [], latest: undefined }))
    )
    this.running = this.connections.map((connection) => this.watch(connection))
  }

  /** Postcodes of a batch that is about to be sent. */
  announce(postcodes: ReadonlyArray<string>): void {
    this.recent = [...postcodes, ...this.recent].slice(0, maxAsked)
  }

  /** When each connection to a replica first showed each version. */
  seenBy(replica: number): ReadonlyArray<ReadonlyArray<Seen>> {
    return this.connections.filter((connection) => connection.replica === replica).map(({ seen }) => seen)
  }

  /** Waits until every connection shows a version, and returns whether it does in time. */
  async untilShown(edition: string, changes: number, timeout_ms: number): Promise<boolean> {
    const isShown = ({ latest }: Connection) => latest?.edition === edition && latest.changes >= changes
    for (const end_ms = now_ms() + timeout_ms; now_ms() < end_ms; await setTimeout(pause_ms)) {
      if (this.connections.every(isShown)) return true
    }
    return false
  }

  async stop(): Promise<void> {
    this.isStopped = true
    await Promise.all(this.running)
  }

  private async watch(connection: Connection): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let number = 1; !this.isStopped; number++) {
      const level = number % levelFiveEach === 0 ? 5 : 1
      const codes = [...new Set(this.recent)]
      const asked = codes.length === 0 ? [this.options.postcode] : codes
      const answer = await ask(this.options, connection.replica, agent, { level, codes: asked }).catch(() => undefined)
      if (answer === undefined) connection.latest = undefined
      else this.take(connection, answer, level)
      await setTimeout(pause_ms)
    }
    agent.destroy()
  }

  private take(connection: Connection, { isNewConnection, results, version }: Answer, level: 1 | 5): void {
    const { changes, edition } = version
    const { latest, replica, seen } = connection
    // Another thread may be a little behind, and so may a replica that was started again.
    const isBackwards = latest?.edition === edition && changes < latest.changes
    if (isBackwards && !isNewConnection) {
      this.backwards.push(`replica ${replica}: ${edition}+${latest.changes}, then ${edition}+${changes}`)
    }
    if (latest?.edition !== edition || latest.changes !== changes) {
      connection.latest = { at_ms: now_ms(), edition, changes }
      seen.push(connection.latest)
    }
    this.observations.push({ replica, edition, changes, level, results })
  }

  /** How many units were shown. */
  observed(): number {
    return this.observations.reduce((sum, { results }) => sum + results.length, 0)
  }
}

interface Answer {
  readonly version: { readonly edition: string; readonly changes: number }
  readonly results: ReadonlyArray<ShownUnit>
  readonly isNewConnection: boolean
}

/** Fails unless the answer is 200. */
const ask = async (
  { ports, secret }: WatcherOptions,
  replica: number,
  agent: Agent,
  { codes, level }: { readonly codes: ReadonlyArray<string>; readonly level: number }
): Promise<Answer> => {
  const headers = { "x-api-key": secret, "content-type": "application/json" }
  const options = { host: "127.0.0.1", port: ports[replica], path: "/v1/lookup/batch", method: "POST", headers, agent }
  let isNewConnection = false
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request({ ...options, timeout: timeout_ms }, resolve)
    sent.on("timeout", () => sent.destroy())
    sent.on("error", reject)
    sent.on("socket", () => {
      isNewConnection = !sent.reusedSocket
    })
    sent.end(JSON.stringify({ level, codes }))
  })
  const text = Buffer.concat(await response.toArray()).toString()
  const version = parseVersion(String(response.headers["x-data-version"]))
  if (response.statusCode !== 200 || version === undefined) throw new Error(`${response.statusCode} ${text}`)
  const { data } = JSON.parse(text) as { readonly data: { readonly results: ReadonlyArray<{ result: ShownUnit }> } }
  return { version, isNewConnection, results: data.results.map(({ result }) => result) }
}

const pause_ms = 20
const timeout_ms = 10_000
const maxAsked = 20
/** Each of so many lookups is at level 5, which reads attributes from the database. */
const levelFiveEach = 8
