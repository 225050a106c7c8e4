/** One class of requests: a concurrency limit, a share of each event-loop tick, and a queue with a deadline. */
import { Unavailable } from "@postcode/gateway/Errors"
import { Effect, Exit } from "effect"

/** The limits of a queue. */
export interface QueueSettings {
  /** Maximum number of requests in flight. */
  readonly limit: number
  /** A queueing delay that stays above this means overload. */
  readonly target_ms: number
  /** How long a request may wait; a tenth of that in overload. */
  readonly timeout_ms: number
}

/** The requests that a queue holds now, and those that it refused. */
export interface QueueState {
  /** Started and not finished. Synchronous answers are never counted. */
  readonly in_flight: number
  readonly limit: number
  readonly waiting: number
  readonly overloaded: boolean
  /** Total since the start, by reason: the deadline passed, or the queue was full. */
  readonly refused: { readonly late: number; readonly full: number }
}

/** The event loop as load control sees it. Tests pass a simulated one. */
export interface EventLoop {
  /** A monotonic clock. */
  readonly now_ms: () => number
  /** Runs a function later; with a delay of 0 after the current tick. */
  readonly schedule: (delay_ms: number, run: () => void) => void
}

/**
 * Awaits something that this service cannot speed up, such as a body that a client sends slowly, outside the
 * concurrency limit. The request queues again before it continues.
 */
export type Outside = <A, E, R>(slow: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Unavailable, R>

type Work<A, E> = (outside: Outside) => Effect.Effect<A, E>

export type Refusal = Exit.Exit<never, Unavailable>
type Refuse<A, E> = (refusal: Refusal) => Effect.Effect<A, E>

/** Whether a request is within the concurrency limit. */
interface Slot {
  isTaken: boolean
}

interface Waiting {
  readonly since_ms: number
  readonly start: () => void
  readonly refuse: () => void
}

/**
 * Short bursts are served first in, first out. A queueing delay that stays above its target for a second means that
 * demand exceeds capacity (CoDel). Then the newest request is served first (adaptive LIFO) and deadlines are short, so
 * what is served is served early. A stall of the thread refuses nothing: the requests that arrived meanwhile are
 * served.
 */
export class RequestQueue {
  readonly settings: QueueSettings
  private readonly loop: EventLoop
  private readonly queue: Array<Waiting> = []
  private readonly refused = { late: 0, full: 0 }
  /** The delays of scheduled ticks. */
  private readonly scheduled = new Set<number>()
  private inFlight = 0
  private spent_ms = 0
  private isOverloaded = false
  /** Since when the queueing delay is above its target. */
  private slowSince_ms = Number.POSITIVE_INFINITY
  private lastWaiting_ms = Number.NEGATIVE_INFINITY
  /** Requests that have waited since before this time are refused. */
  private expiredBefore_ms = Number.NEGATIVE_INFINITY

  constructor(settings: QueueSettings, loop: EventLoop) {
    this.settings = settings
    this.loop = loop
  }

  get state(): QueueState {
    const { inFlight: in_flight, isOverloaded: overloaded, queue, refused } = this
    return { in_flight, limit: this.settings.limit, waiting: queue.length, overloaded, refused: { ...refused } }
  }

  /**
   * Starts work now if there is capacity, otherwise later. A request that is interrupted while it waits never starts.
   *
   * @param work runs synchronously as far as it can; an effect that is not an `Exit` is in flight until it ends
   */
  run<A, E>(work: Work<A, E>, refuse: Refuse<A, E>): Effect.Effect<A, E> {
    const start = () => this.start(work)
    return this.canStart() ? this.measured(start) : this.wait(start, refuse)
  }

  private start<A, E>(work: Work<A, E>): Effect.Effect<A, E> {
    const slot: Slot = { isTaken: false }
    const started = work((slow) => this.outside(slot, slow))
    if (Exit.isExit(started)) return started
    this.acquire(slot)
    return Effect.ensuring(
      started,
      Effect.sync(() => this.release(slot))
    )
  }

  private outside<A, E, R>(slot: Slot, slow: Effect.Effect<A, E, R>): Effect.Effect<A, E | Unavailable, R> {
    const acquire = Effect.sync(() => this.acquire(slot))
    const back = Effect.suspend(() =>
      this.canStart()
        ? acquire
        : this.wait(
            () => acquire,
            (refusal) => refusal
          )
    )
    return Effect.suspend(() => {
      this.release(slot)
      return Effect.tap(slow, () => back)
    })
  }

  private wait<A, E>(start: () => Effect.Effect<A, E>, refuse: Refuse<A, E>): Effect.Effect<A, E> {
    if (this.queue.length >= maxWaiting) return refuse(this.countRefusal("full"))
    const since_ms = this.loop.now_ms()
    return Effect.callback((resume) => {
      const waiting: Waiting = {
        since_ms,
        start: () => resume(start()),
        refuse: () => resume(refuse(this.countRefusal("late")))
      }
      this.queue.push(waiting)
      this.requestTick(0)
      return Effect.sync(() => this.remove(waiting))
    })
  }

  private countRefusal(reason: keyof QueueState["refused"]): Refusal {
    return refusals[this.refused[reason]++ % refusals.length] as Refusal
  }

  private requestTick(delay_ms: number): void {
    if (this.scheduled.has(delay_ms)) return
    this.scheduled.add(delay_ms)
    this.loop.schedule(delay_ms, () => {
      this.scheduled.delete(delay_ms)
      this.tick()
    })
  }

  /**
   * Starts waiting requests while there is capacity, and then refuses those whose deadline has passed. Deadlines are
   * those of the last tick, so after a stall of the thread requests still get a chance.
   */
  private tick(): void {
    this.detectOverload(this.loop.now_ms())
    // In overload, new arrivals come first: waiting requests get the rest of the share of this tick.
    if (!this.isOverloaded) this.spent_ms = 0
    while (this.hasCapacity()) {
      const next = this.queue.at(this.isOverloaded ? -1 : 0)
      if (next === undefined || this.isExpired(next)) break
      this.remove(next)
      this.measured(next.start)
    }
    if (this.isOverloaded) this.spent_ms = 0
    const { timeout_ms } = this.settings
    this.expiredBefore_ms = this.loop.now_ms() - (this.isOverloaded ? timeout_ms / 10 : timeout_ms)
    this.refuseExpired()
    const [first] = this.queue
    if (first === undefined) return
    this.requestTick(this.inFlight < this.settings.limit || this.isExpired(first) ? 0 : deadlineCheck_ms)
  }

  private detectOverload(now_ms: number): void {
    const [first] = this.queue
    if (first !== undefined) this.lastWaiting_ms = now_ms
    else if (now_ms - this.lastWaiting_ms > calm_ms) this.isOverloaded = false
    const isSlow = first !== undefined && now_ms - first.since_ms > this.settings.target_ms
    this.slowSince_ms = isSlow ? Math.min(this.slowSince_ms, now_ms) : Number.POSITIVE_INFINITY
    if (now_ms - this.slowSince_ms > interval_ms) this.isOverloaded = true
  }

  /**
   * A refusal costs half as much as the cheapest answer, so few are sent in each tick. Clients that wait for their
   * refusal send nothing else meanwhile.
   */
  private refuseExpired(): void {
    for (let i = 0; i < refusalsPerTick; i++) {
      const [first] = this.queue
      if (first === undefined || !this.isExpired(first)) return
      this.remove(first)
      first.refuse()
    }
  }

  private isExpired({ since_ms }: Waiting): boolean {
    return since_ms < this.expiredBefore_ms
  }

  private remove(waiting: Waiting): void {
    const index = this.queue.at(-1) === waiting ? this.queue.length - 1 : this.queue.indexOf(waiting)
    if (index !== -1) this.queue.splice(index, 1)
  }

  private canStart(): boolean {
    return (this.isOverloaded || this.queue.length === 0) && this.hasCapacity()
  }

  private hasCapacity(): boolean {
    const share_ms = this.isOverloaded ? overloadShare_ms : tickShare_ms
    return this.spent_ms < share_ms && this.inFlight < this.settings.limit
  }

  private measured<A>(start: () => A): A {
    const started_ms = this.loop.now_ms()
    const result = start()
    this.spent_ms += this.loop.now_ms() - started_ms
    if (this.spent_ms * 2 > overloadShare_ms) this.requestTick(0)
    return result
  }

  private acquire(slot: Slot): void {
    slot.isTaken = true
    this.inFlight++
  }

  private release(slot: Slot): void {
    if (!slot.isTaken) return
    slot.isTaken = false
    this.inFlight--
    if (this.queue.length > 0) this.requestTick(0)
  }
}

/** `Retry-After` varies, so that clients that are refused together do not retry together. */
const refusals = [1, 2, 3].map((retry_after_s) => Exit.fail(new Unavailable({ retry_after_s })))

/**
 * CPU time of each event-loop tick until answers are computed. Node needs about as much again to parse and to write.
 */
const tickShare_ms = 2
const overloadShare_ms = 0.5
/** Most clients wait for an answer before their next request, so this is seldom reached. */
const maxWaiting = 10_000
const refusalsPerTick = 4
/** While the concurrency limit is reached, deadlines are checked at this interval. */
const deadlineCheck_ms = 5
/** CoDel's interval. Ten times the usual one, because a service is slow just after its start. */
const interval_ms = 1_000
/** Overload ends when nothing has waited for this long. */
const calm_ms = 100
