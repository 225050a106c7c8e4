/**
 * A thread that answers, a store that does one thing after the other, and clients that ask: in a time of its own, so it
 * goes the same way in every run. The thread turns as the event loop does: it reads what has come, hears from the store,
 * and ends the turn. Clients ask on schedule, each on a connection of its stream that is free; where none is, the request
 * is never sent.
 */
import { Effect, Exit } from "effect"
import { LoadControl, type QueueName } from "../../src/load/LoadControl.ts"

/** Requests that are alike. */
export interface SimulatedStream {
  readonly queue: QueueName
  readonly connections: number
  /** With `Infinity` a connection asks again as soon as it is answered. */
  readonly rate_per_s: number
  /** How long the thread works on a request. */
  readonly work_ms: number
  /** How long the store then does; 0 if the answer is there at once. */
  readonly store_ms: number
}

/** What became of the requests of a stream, behind two seconds in which nothing counts. */
export interface SimulatedResult {
  readonly served_per_s: number
  readonly refused_per_s: number
  readonly p99_ms: number
  /** The longest that somebody waited to be refused. */
  readonly refused_within_ms: number
}

/** To read a request and to write its answer. */
const overhead_ms = 0.02
const settled_ms = 2_000
const counted_ms = 2_000

/**
 * @param controlled whether there is load control; else everything is served
 * @param stall_ms for how long of each 100 ms the system lets the thread stand still
 */
export const simulate = (
  controlled: boolean,
  streams: ReadonlyArray<SimulatedStream>,
  stall_ms = 0
): ReadonlyArray<SimulatedResult> => {
  const thread = new SimulatedThread()
  const load = controlled ? new LoadControl(thread) : undefined
  const all = streams.map((stream) => new Clients(stream, thread, load))
  while (thread.time_ms < settled_ms + counted_ms) {
    if (stall_ms > 0 && thread.time_ms % 100 < stall_ms) thread.time_ms += stall_ms
    for (const clients of all) clients.ask()
    thread.turn()
  }
  return all.map((clients) => clients.result())
}

class SimulatedThread {
  time_ms = 0
  readonly come: Array<() => void> = []
  private readonly stored: Array<{ readonly at_ms: number; readonly run: () => void }> = []
  private timers: Array<{ readonly at_ms: number; readonly run: () => void }> = []
  private ends: Array<() => void> = []
  private storeIsFree_ms = 0

  readonly now_ms = (): number => this.time_ms
  readonly schedule = (delay_ms: number, run: () => void): void => {
    if (delay_ms === 0) this.ends.push(run)
    else this.timers.push({ at_ms: this.time_ms + delay_ms, run })
  }

  store(time_ms: number, run: () => void): void {
    this.storeIsFree_ms = Math.max(this.storeIsFree_ms, this.time_ms) + time_ms
    this.stored.push({ at_ms: this.storeIsFree_ms, run })
  }

  turn(): void {
    const now_ms = this.time_ms
    const due = this.timers.filter(({ at_ms }) => at_ms <= now_ms)
    this.timers = this.timers.filter(({ at_ms }) => at_ms > now_ms)
    for (const { run } of due) run()
    for (const read of this.come.splice(0)) read()
    while ((this.stored[0]?.at_ms ?? Number.POSITIVE_INFINITY) <= now_ms) this.stored.shift()?.run()
    const ends = this.ends
    this.ends = []
    for (const run of ends) run()
    // Where nothing is to be done, time goes on all the same.
    this.time_ms += 0.005
  }
}

class Clients {
  private readonly stream: SimulatedStream
  private readonly thread: SimulatedThread
  private readonly load: LoadControl | undefined
  private free: number
  private due_ms = 0
  private readonly served_ms: Array<number> = []
  private readonly refused_ms: Array<number> = []

  constructor(stream: SimulatedStream, thread: SimulatedThread, load: LoadControl | undefined) {
    this.stream = stream
    this.thread = thread
    this.load = load
    this.free = stream.connections
  }

  /** Asks all that is due by now. */
  ask(): void {
    const now_ms = this.thread.time_ms
    if (this.stream.rate_per_s === Number.POSITIVE_INFINITY) {
      for (; this.free > 0; this.free--) this.send(now_ms)
      return
    }
    for (; this.due_ms <= now_ms; this.due_ms += 1_000 / this.stream.rate_per_s) {
      if (this.free === 0) continue
      this.free--
      this.send(this.due_ms)
    }
  }

  result(): SimulatedResult {
    const a_second = (times_ms: ReadonlyArray<number>) => times_ms.length / (counted_ms / 1_000)
    return {
      served_per_s: a_second(this.served_ms),
      refused_per_s: a_second(this.refused_ms),
      p99_ms: this.served_ms.toSorted((a, b) => a - b)[Math.ceil(this.served_ms.length * 0.99) - 1] ?? 0,
      refused_within_ms: Math.max(0, ...this.refused_ms)
    }
  }

  private send(due_ms: number): void {
    const { thread } = this
    thread.come.push(() => {
      thread.time_ms += overhead_ms / 2
      const answer = this.load
        ? this.load.queues[this.stream.queue].run(
            () => this.work(),
            () => Exit.succeed("refused" as const)
          )
        : this.work()
      Effect.runFork(answer).addObserver((exit) => {
        thread.time_ms += overhead_ms / 2
        this.free++
        if (thread.time_ms < settled_ms) return
        const times_ms = Exit.isSuccess(exit) && exit.value === "served" ? this.served_ms : this.refused_ms
        times_ms.push(thread.time_ms - due_ms)
      })
    })
  }

  private work(): Effect.Effect<"served" | "refused"> {
    const { store_ms, work_ms } = this.stream
    this.thread.time_ms += work_ms
    if (store_ms === 0) return Exit.succeed("served")
    return Effect.callback((resume) => this.thread.store(store_ms, () => resume(Exit.succeed("served"))))
  }
}
