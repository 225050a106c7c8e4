/** One lane of requests: its share of each turn of the event loop, how many are in flight, and who waits. */
import { AdaptiveLimit, type AdaptiveLimitSettings } from "./AdaptiveLimit.ts"
import { type InLine, WaitingLine } from "./WaitingLine.ts"

/** How much a lane may do, and how long one may wait in it. */
export interface LaneSettings {
  /**
   * For how long its requests are worked on in a turn. It is the time until an answer is there; to read a request and to
   * write an answer takes Node about as long again.
   */
  readonly share_ms: number
  /** How many may be in flight, or how that is found. */
  readonly limit: number | AdaptiveLimitSettings
  /** How long a line takes that is slow: one that stays so is never worked off. */
  readonly freshness_ms: number
  /** For how long a request may wait, as long as lines are worked off; a tenth of that while they are not. */
  readonly patience_ms: number
}

/** Why a request was refused: it had waited too long, or too many waited already. */
export type RefusalReason = "late" | "full"

/** How it stands with a lane; numbers of requests. */
export interface LaneState {
  /** Begun and not ended. What is answered at once never shows here. */
  readonly in_flight: number
  /** How many may be in flight. */
  readonly limit: number
  /** Not begun yet, or to be refused. */
  readonly waiting: number
  /** Whether more is asked than it can do. */
  readonly overloaded: boolean
  /** Refused since the start. */
  readonly refused: Readonly<Record<RefusalReason, number>>
}

/** A request that has not begun. It is told one of the two, once. */
export interface Waiting extends InLine<Waiting> {
  readonly lane: Lane
  readonly since_ms: number
  readonly begin: () => void
  readonly refuse: (reason: RefusalReason) => void
}

/** A request's place among those in flight, which it may give up and take again. */
export interface Place {
  isHeld: boolean
  since_ms: number
}

/**
 * A burst makes a line that is worked off, the oldest first. Where whoever is first has waited too long all the time for a
 * while, the line never ends, and to work it off would make all wait as long as they can bear: the lane is overloaded.
 * Then turns are short, who has come last is served first, and who cannot be is refused soon. So what is served is served
 * early, and yet nobody is refused for whom there is time: where the thread stood still, it works off what has come.
 */
export class Lane {
  /** Who waits, the oldest first. */
  readonly line = new WaitingLine<Waiting>()
  /** Who has waited too long, and is to be told so. */
  readonly late = new WaitingLine<Waiting>()
  readonly refused = { late: 0, full: 0 }
  private readonly settings: LaneSettings
  private readonly limit: { readonly value: number } | AdaptiveLimit
  /** Worked on in this turn, and what earlier turns took beyond their shares. */
  private spent_ms = 0
  /** The same for telling who is refused. */
  private refusing_ms = 0
  private inFlight = 0
  /** Since when the line has been slow all the time. */
  private slowSince_ms = Number.POSITIVE_INFINITY
  /** Since when nobody has waited at the end of any turn. */
  private emptySince_ms = Number.POSITIVE_INFINITY
  private isOverloaded = false

  constructor(settings: LaneSettings) {
    this.settings = settings
    this.limit = typeof settings.limit === "number" ? { value: settings.limit } : new AdaptiveLimit(settings.limit)
  }

  get state(): LaneState {
    return {
      in_flight: this.inFlight,
      limit: this.limit.value,
      waiting: this.waiting,
      overloaded: this.isOverloaded,
      refused: { ...this.refused }
    }
  }

  get waiting(): number {
    return this.line.size + this.late.size
  }

  /** Whether one that has just come may begin. */
  admits(): boolean {
    return (this.isOverloaded || this.line.size === 0) && this.hasRoom()
  }

  hasRoom(): boolean {
    return this.spent_ms < this.share_ms() && this.hasPlace()
  }

  /** Whether the next turn has something to do, be it that somebody is to be refused. */
  needsTurn(): boolean {
    return this.late.size > 0 || (this.line.size > 0 && this.hasPlace())
  }

  spend(spent_ms: number): void {
    this.spent_ms += spent_ms
  }

  /** Half of a share may be left of turns before: to hear of the end of each turn would cost every request. */
  nearsItsShare(): boolean {
    return this.spent_ms * 2 > this.share_ms()
  }

  /**
   * Ends a turn.
   *
   * @param begin begins one that waits
   */
  endTurn(now_ms: number, begin: (waiting: Waiting) => void): void {
    this.judge(now_ms)
    // In an overload, who has waited gets what those who have just come left of the turn; else they come first in the next.
    if (!this.isOverloaded) this.renewShare()
    this.beginWaiting(begin)
    if (this.isOverloaded) this.renewShare()
    this.findLate(now_ms)
  }

  /** Tells those that have waited too long, as far as its share goes. Under no flood the next turn is there at once. */
  refuseLate(now_ms: () => number): void {
    while (this.refusing_ms < refusalShare_ms) {
      const waiting = this.late.first()
      if (waiting === undefined) break
      const began_ms = now_ms()
      this.late.delete(waiting)
      this.refused.late++
      waiting.refuse("late")
      this.refusing_ms += now_ms() - began_ms
    }
    this.refusing_ms = Math.max(0, this.refusing_ms - refusalShare_ms)
  }

  take(place: Place, now_ms: number): void {
    this.inFlight++
    place.isHeld = true
    place.since_ms = now_ms
  }

  leave(place: Place): void {
    if (!place.isHeld) return
    this.inFlight--
    place.isHeld = false
  }

  /** The request has ended: how long it took says how many may be in flight. */
  end(place: Place, now_ms: number): void {
    if (!place.isHeld) return
    if (this.limit instanceof AdaptiveLimit) this.limit.note(now_ms - place.since_ms, this.inFlight, now_ms)
    this.leave(place)
  }

  private hasPlace(): boolean {
    return this.inFlight < this.limit.value
  }

  private share_ms(): number {
    return this.isOverloaded ? this.settings.share_ms * overloadedShare : this.settings.share_ms
  }

  /** What was taken beyond a share is missing from the next one, but from no more: the thread may just have stood still. */
  private renewShare(): void {
    const share_ms = this.share_ms()
    this.spent_ms = Math.min(Math.max(0, this.spent_ms - share_ms), share_ms)
  }

  private beginWaiting(begin: (waiting: Waiting) => void): void {
    while (this.hasRoom()) {
      const waiting = this.isOverloaded ? this.line.last() : this.line.first()
      if (waiting === undefined) return
      this.line.delete(waiting)
      begin(waiting)
    }
  }

  private findLate(now_ms: number): void {
    const { patience_ms } = this.settings
    const before_ms = now_ms - (this.isOverloaded ? patience_ms * overloadedPatience : patience_ms)
    for (;;) {
      const waiting = this.line.first()
      if (waiting === undefined || waiting.since_ms >= before_ms) return
      this.line.delete(waiting)
      this.late.add(waiting)
    }
  }

  private judge(now_ms: number): void {
    const first = this.line.first()
    if ((first?.since_ms ?? now_ms) - this.emptySince_ms > calm_ms) this.isOverloaded = false
    const isEmpty = first === undefined && this.late.size === 0
    this.emptySince_ms = isEmpty ? Math.min(this.emptySince_ms, now_ms) : Number.POSITIVE_INFINITY
    const isSlow = first !== undefined && now_ms - first.since_ms > this.settings.freshness_ms
    this.slowSince_ms = isSlow ? Math.min(this.slowSince_ms, now_ms) : Number.POSITIVE_INFINITY
    if (now_ms - this.slowSince_ms > longestBurst_ms) this.isOverloaded = true
  }
}

/** A service that has just started takes longer for all it does. */
const longestBurst_ms = 1_000
/** An overload is over once nobody has waited for so long. */
const calm_ms = 100
const overloadedShare = 0.25
const overloadedPatience = 0.1
const refusalShare_ms = 0.02
