/** One endpoint of a service, compared with raw `node:http` and the same responses, round by round. */
import { compared, type Figure } from "../Bench.ts"
import { median } from "../measure.ts"
import type { Child } from "./Child.ts"
import type { Load, LoadResult } from "./load.ts"
import { processorTime_ns, withChildren } from "./processUse.ts"
import type { RawAnswer } from "./rawProcess.ts"
import { record } from "./record.ts"
import type { ServiceProcess } from "./ServiceProcess.ts"
import { bytesOf, type Endpoint } from "./Traffic.ts"

/** The two processes that all comparisons share. */
export interface SharedProcesses {
  readonly raw: Child<ReadonlyArray<RawAnswer>, number>
  readonly load: Child<Load, LoadResult>
}

export interface RoundSize {
  readonly connections: number
  readonly requests: number
}

/** CPU time per request in a round. */
interface Measured extends LoadResult {
  readonly processor_us: number
  /** Of the database, if there is one. */
  readonly database_us: number
}

export class Comparison {
  readonly endpoint: Endpoint
  private readonly service: ServiceProcess
  /** The database's process, if there is one. */
  private readonly database: number | undefined
  private readonly sharedProcesses: SharedProcesses
  private answers: ReadonlyArray<RawAnswer> = []
  private readonly ours: Array<Measured> = []
  private readonly raws: Array<Measured> = []

  constructor(endpoint: Endpoint, service: ServiceProcess, sharedProcesses: SharedProcesses, database?: number) {
    this.endpoint = endpoint
    this.service = service
    this.sharedProcesses = sharedProcesses
    this.database = database
  }

  /** Sends both the same requests, ours first in every other round. Warm-up rounds are not counted. */
  async run(round: number, { connections, requests }: RoundSize, counts: boolean): Promise<void> {
    const { raw } = this.sharedProcesses
    if (this.answers.length === 0) this.answers = await record(this.service.port, this.drawn(recordedAnswers))
    const rawPort = await raw.tell(this.answers)
    // A database needs the CPU more than a busy-waiting client.
    const load = { connections, requests: this.drawn(requests).map(bytesOf), busyWaits: this.database === undefined }
    const ours = async (): Promise<void> => {
      const measured = await this.measure({ ...load, port: this.service.port }, this.service.pid)
      if (counts) this.ours.push(measured)
    }
    const peers = async (): Promise<void> => {
      const measured = await this.measure({ ...load, port: rawPort }, raw.pid)
      if (counts) this.raws.push(measured)
    }
    for (const side of round % 2 === 0 ? [ours, peers] : [peers, ours]) await side()
  }

  *figures(): Generator<Figure> {
    const { name } = this.endpoint
    const beside = (figure: string, unit: string, of: keyof Measured): Figure =>
      compared("less", {
        bench: "http",
        figure: `${name}: ${figure}`,
        value: median(this.ours.map((round) => round[of])),
        unit,
        peer: "raw node:http",
        peer_value: median(this.raws.map((round) => round[of]))
      })
    yield beside("processor time", "µs", "processor_us")
    if (this.database !== undefined) {
      const value = median(this.ours.map((round) => round.database_us))
      const figure = `${name}: processor time of the database`
      yield compared("less", { bench: "http", figure, value, unit: "µs", peer: null, peer_value: null })
    }
    yield beside("half are answered within", "ms", "p50_ms")
    yield beside("99 % are answered within", "ms", "p99_ms")
  }

  private async measure(load: Load, pid: number): Promise<Measured> {
    const databases = this.database === undefined ? [] : withChildren(this.database)
    const before_ns = [processorTime_ns([pid]), processorTime_ns(databases)] as const
    const result = await this.sharedProcesses.load.tell(load)
    const share_us = (now_ns: number, then_ns: number) => (now_ns - then_ns) / 1_000 / load.requests.length
    return {
      ...result,
      processor_us: share_us(processorTime_ns([pid]), before_ns[0]),
      database_us: share_us(processorTime_ns(databases), before_ns[1])
    }
  }

  private drawn(count: number) {
    return Array.from({ length: count }, this.endpoint.draw)
  }
}

/** The number of different responses of the peer. */
const recordedAnswers = 500
