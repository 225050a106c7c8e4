/**
 * What begins at once, what waits, and what is refused, so that a service that is asked for more than it can do does as
 * much as ever, and none of it late.
 *
 * One thread does one thing after the other, in turns of the event loop, and whatever came meanwhile waits for the next
 * turn. So requests are sorted into lanes. Each lane has a share of every turn, and a number of requests that may be in
 * flight. What comes while there is room begins at once; what comes beyond waits for a turn that has room, and is refused
 * if none has soon enough. A refusal costs half of what the cheapest answer does. So refusals have a share of their own:
 * under a flood they take a small part of the time and go out late, and who waits for one asks for nothing else.
 */
import { Effect, Exit } from "effect"
import { Lane, type LaneSettings, type LaneState, type Place, type RefusalReason, type Waiting } from "./Lane.ts"

/** Free and paid requests, management, and whoever is about to sign in: none can take what is another's. */
export type LaneName = "free" | "paid" | "management" | "visitors"

/** How it stands with each lane: for metrics. */
export type LoadState = Readonly<Record<LaneName, LaneState>>

/** Where time comes from: a monotonic clock, the end of the turn that is under way, and a while later. */
export interface Turns {
  readonly now_ms: () => number
  readonly atEnd: (run: () => void) => void
  readonly after: (pause_ms: number, run: () => void) => void
}

export class LoadControl {
  private readonly lanes: Readonly<Record<LaneName, Lane>>
  private readonly all: ReadonlyArray<Lane>
  private readonly turns: Turns
  private isEndAwaited = false
  private isWatched = false

  /** @param settings of the lanes that are to be other than they come */
  constructor(turns: Turns = eventLoop, settings: Partial<Readonly<Record<LaneName, LaneSettings>>> = {}) {
    this.turns = turns
    const { free, management, paid, visitors } = { ...laneSettings, ...settings }
    this.lanes = {
      free: new Lane(free),
      paid: new Lane(paid),
      management: new Lane(management),
      visitors: new Lane(visitors)
    }
    this.all = Object.values(this.lanes)
  }

  get state(): LoadState {
    const { free, management, paid, visitors } = this.lanes
    return { free: free.state, paid: paid.state, management: management.state, visitors: visitors.state }
  }

  /**
   * Does work in a lane: at once where there is room, else as soon as there is. What is refused ends as `refused` says.
   * Whoever is interrupted while it waits has never begun.
   *
   * @param work does at once what it can; if that is not all, it is in flight until the rest ends
   */
  run<A, E>(
    name: LaneName,
    work: (place: Place) => Effect.Effect<A, E>,
    refused: (reason: RefusalReason) => Effect.Effect<A, E>
  ): Effect.Effect<A, E> {
    const lane = this.lanes[name]
    const now_ms = this.turns.now_ms()
    if (!lane.admits()) return this.wait(lane, now_ms, () => this.begin(lane, this.turns.now_ms(), work), refused)
    const begun = this.begin(lane, now_ms, work)
    this.spend(lane, now_ms)
    return begun
  }

  /**
   * Waits for what the service cannot hurry, such as a body that a client sends slowly. It is not in flight meanwhile, and
   * needs room again to go on.
   */
  aside<A, E, F>(
    name: LaneName,
    place: Place,
    slow: Effect.Effect<A, E>,
    refused: (reason: RefusalReason) => Effect.Effect<never, F>
  ): Effect.Effect<A, E | F> {
    const lane = this.lanes[name]
    const goOn = Effect.sync(() => lane.take(place, this.turns.now_ms()))
    const back = Effect.suspend(() =>
      lane.admits() ? goOn : this.wait<void, F>(lane, this.turns.now_ms(), () => goOn, refused)
    )
    return Effect.suspend(() => {
      lane.leave(place)
      this.offerRoom(lane)
      return Effect.tap(slow, () => back)
    })
  }

  private begin<A, E>(lane: Lane, now_ms: number, work: (place: Place) => Effect.Effect<A, E>): Effect.Effect<A, E> {
    const place: Place = { isHeld: false, since_ms: now_ms }
    const begun = work(place)
    if (Exit.isExit(begun)) return begun
    lane.take(place, now_ms)
    return Effect.ensuring(
      begun,
      Effect.sync(() => {
        lane.end(place, this.turns.now_ms())
        this.offerRoom(lane)
      })
    )
  }

  private wait<A, E>(
    lane: Lane,
    since_ms: number,
    begin: () => Effect.Effect<A, E>,
    refused: (reason: RefusalReason) => Effect.Effect<A, E>
  ): Effect.Effect<A, E> {
    if (lane.waiting >= mostWaiting) {
      lane.refused.full++
      return refused("full")
    }
    return Effect.callback((resume) => {
      const waiting: Waiting = {
        lane,
        since_ms,
        begin: () => resume(begin()),
        refuse: (reason) => resume(refused(reason)),
        line: undefined,
        before: undefined,
        behind: undefined
      }
      lane.line.add(waiting)
      this.awaitEnd()
      return Effect.sync(() => {
        lane.line.delete(waiting)
        lane.late.delete(waiting)
      })
    })
  }

  private offerRoom(lane: Lane): void {
    if (lane.line.size > 0) this.awaitEnd()
  }

  private spend(lane: Lane, since_ms: number): void {
    lane.spend(this.turns.now_ms() - since_ms)
    if (lane.nearsItsShare()) this.awaitEnd()
  }

  private awaitEnd(): void {
    if (this.isEndAwaited) return
    this.isEndAwaited = true
    this.turns.atEnd(() => {
      this.isEndAwaited = false
      this.endTurn()
    })
  }

  /** Begins what waits as far as there is room, and refuses what has waited too long. */
  private endTurn(): void {
    for (const lane of this.all) {
      lane.endTurn(this.turns.now_ms(), this.beginWaiting)
      lane.refuseLate(this.turns.now_ms)
    }
    if (this.all.some((lane) => lane.needsTurn())) this.awaitEnd()
    else if (this.all.some((lane) => lane.waiting > 0)) this.watch()
  }

  private readonly beginWaiting = (waiting: Waiting): void => {
    const began_ms = this.turns.now_ms()
    waiting.begin()
    this.spend(waiting.lane, began_ms)
  }

  /** Nobody is to wait too long because nothing happens. */
  private watch(): void {
    if (this.isWatched) return
    this.isWatched = true
    this.turns.after(watch_ms, () => {
      this.isWatched = false
      this.endTurn()
    })
  }
}

/** Each of them has a client that waits at its connection, so there are seldom so many. */
const mostWaiting = 10_000
const watch_ms = 5

const laneSettings: Readonly<Record<LaneName, LaneSettings>> = {
  free: { share_ms: 2, limit: 1_024, freshness_ms: 5, patience_ms: 1_000 },
  paid: {
    share_ms: 2,
    // Where the processors are busy with other things, fewer in flight are no quicker: then a low minimum loses what could
    // be done.
    limit: { minimum: 128, initial: 256, maximum: 1_024, target_ms: 50 },
    freshness_ms: 30,
    patience_ms: 1_000
  },
  management: { share_ms: 0.5, limit: 16, freshness_ms: 1_000, patience_ms: 5_000 },
  // As many as may wait for their password to be checked.
  visitors: { share_ms: 0.5, limit: 40, freshness_ms: 1_000, patience_ms: 5_000 }
}

const eventLoop: Turns = {
  now_ms: () => performance.now(),
  atEnd: (run) => void setImmediate(run),
  after: (pause_ms, run) => void setTimeout(run, pause_ms)
}
