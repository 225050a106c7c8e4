/**
 * An open-loop load generator: requests are due at scheduled times, independent of responses. Each stream of requests
 * has its own connections. A due request is sent on an idle connection, and its latency starts when it was due; if none
 * is idle, it is dropped. Refused requests are not retried.
 */
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { randomNumbers } from "../../test/RandomNumbers.ts"
import { isWhole, percentile } from "../http/load.ts"

export interface Stream {
  /** Complete requests as bytes, repeated in order. */
  readonly requests: ReadonlyArray<Uint8Array>
  readonly connections: number
  /** Requests per second, at random times. With `Infinity` a connection sends the next one after each response. */
  readonly rate_per_s: number
}

export interface OpenLoad {
  readonly port: number
  readonly streams: ReadonlyArray<Stream>
  /** The warm-up time. */
  readonly settle_s: number
  readonly time_s: number
  /** Whether to busy-wait; otherwise checks once a millisecond. */
  readonly busyWaits: boolean
}

/** The results of a stream's requests that were due in the measured time. */
export interface StreamResult {
  readonly due_per_s: number
  /** Dropped, since all connections were busy. */
  readonly unsent_per_s: number
  /** Answered with 200 within a second of the due time. */
  readonly served_per_s: number
  readonly refused_per_s: number
  /** Answered with 200, but later. */
  readonly late_per_s: number
  /** The latency of served requests. */
  readonly p50_ms: number
  readonly p99_ms: number
  /** The 99th percentile of the generator's own delay. */
  readonly lag_p99_ms: number
}

/** @throws Error if a response is neither 200 nor 503, or a connection breaks */
export const runOpenLoop = async (load: OpenLoad): Promise<ReadonlyArray<StreamResult>> => {
  const begun = await Promise.all(load.streams.map((stream, i) => OpenStream.open(stream, load, i)))
  const start_ms = performance.now()
  for (const stream of begun) stream.start(start_ms)
  const end_ms = start_ms + (load.settle_s + load.time_s) * 1000
  try {
    await new Promise<void>((resolve, reject) => {
      for (const stream of begun) stream.onFailure = reject
      const look = (): void => {
        const now_ms = performance.now()
        for (const stream of begun) stream.sendDue(now_ms)
        if (now_ms >= end_ms) resolve()
        else if (load.busyWaits) setImmediate(look)
        else setTimeout(look, 1)
      }
      look()
    })
    return begun.map((stream) => stream.result())
  } finally {
    for (const stream of begun) stream.close()
  }
}

/** NaN if there are none. */
const percentileOf = (values: ReadonlyArray<number>, part: number): number =>
  percentile(Float64Array.from(values).sort(), part) ?? Number.NaN

/** Later responses are useless to the client. */
const deadline_ms = 1_000

interface Asking {
  readonly socket: Socket
  /** The due time of its last request. */
  due_ms: number
  received: string
}

class OpenStream {
  onFailure: (error: Error) => void = () => {}
  private readonly stream: Stream
  private readonly load: OpenLoad
  private readonly random: () => number
  /** Idle connections, used in rotation. */
  private readonly free: Array<Asking> = []
  private readonly all: Array<Asking> = []
  private counted_ms = Number.POSITIVE_INFINITY
  private nextDue_ms = 0
  private sent = 0
  private readonly counts = { due: 0, unsent: 0, refused: 0, late: 0 }
  private readonly times_ms: Array<number> = []
  private readonly lags_ms: Array<number> = []
  private isClosed = false

  static async open(stream: Stream, load: OpenLoad, seed: number): Promise<OpenStream> {
    const opened = new OpenStream(stream, load, seed)
    for (let i = 0; i < stream.connections; i++) await opened.connect()
    return opened
  }

  private constructor(stream: Stream, load: OpenLoad, seed: number) {
    this.stream = stream
    this.load = load
    this.random = randomNumbers(seed + 1)
  }

  start(start_ms: number): void {
    this.counted_ms = start_ms + this.load.settle_s * 1000
    this.nextDue_ms = start_ms + this.gap_ms()
  }

  sendDue(now_ms: number): void {
    if (this.stream.rate_per_s === Number.POSITIVE_INFINITY) {
      while (this.free.length > 0) this.send(this.free.shift() as Asking, now_ms, now_ms)
      return
    }
    for (; this.nextDue_ms <= now_ms; this.nextDue_ms += this.gap_ms()) {
      const counts = this.nextDue_ms >= this.counted_ms
      if (counts) this.counts.due++
      const asking = this.free.shift()
      if (asking !== undefined) this.send(asking, this.nextDue_ms, now_ms)
      else if (counts) this.counts.unsent++
    }
  }

  result(): StreamResult {
    const { due, late, refused, unsent } = this.counts
    const a_second = (count: number) => count / this.load.time_s
    return {
      due_per_s: a_second(due),
      unsent_per_s: a_second(unsent),
      served_per_s: a_second(this.times_ms.length),
      refused_per_s: a_second(refused),
      late_per_s: a_second(late),
      p50_ms: percentileOf(this.times_ms, 0.5),
      p99_ms: percentileOf(this.times_ms, 0.99),
      lag_p99_ms: percentileOf(this.lags_ms, 0.99)
    }
  }

  close(): void {
    this.isClosed = true
    for (const { socket } of this.all) socket.destroy()
  }

  private gap_ms(): number {
    return (-Math.log(1 - this.random()) * 1000) / this.stream.rate_per_s
  }

  private send(asking: Asking, due_ms: number, now_ms: number): void {
    asking.due_ms = due_ms
    const { requests } = this.stream
    asking.socket.write(requests[this.sent++ % requests.length] as Uint8Array)
    if (due_ms >= this.counted_ms) this.lags_ms.push(now_ms - due_ms)
  }

  private async connect(): Promise<void> {
    const socket = connect(this.load.port, "127.0.0.1").setNoDelay()
    await once(socket, "connect")
    const asking: Asking = { socket, due_ms: 0, received: "" }
    socket.on("data", (bytes: Buffer) => {
      asking.received += bytes.toString("latin1")
      if (isWhole(asking.received)) this.answered(asking)
    })
    socket.on("error", (error) => this.onFailure(error))
    socket.on("close", () => {
      if (!this.isClosed) this.onFailure(new Error("the server closed a connection"))
    })
    this.free.push(asking)
    this.all.push(asking)
  }

  private answered(asking: Asking): void {
    const now_ms = performance.now()
    const status = asking.received.slice(9, 12)
    if (now_ms >= this.counted_ms) this.count(status, now_ms - asking.due_ms)
    if (status !== "200" && status !== "503") this.onFailure(new Error(`expected 200 or 503: ${asking.received}`))
    asking.received = ""
    this.free.push(asking)
    // A closed loop sends the next request at once.
    if (this.stream.rate_per_s === Number.POSITIVE_INFINITY) this.sendDue(now_ms)
  }

  private count(status: string, time_ms: number): void {
    if (status === "503") this.counts.refused++
    else if (time_ms > deadline_ms) this.counts.late++
    else this.times_ms.push(time_ms)
  }
}
