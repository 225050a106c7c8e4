/** What a replica knows of subjects: the permits that it holds of each, its own count, and the database's last word. */
import type { RateDecision, RateSubject } from "@postcode/core/limits/RateLimiter"
import { SlidingWindows } from "@postcode/core/SlidingWindows"
import { LRUCache } from "lru-cache"
import type { PermitAnswer, PermitQuestion } from "./PermitQuestions.ts"

/** A request that waits for an answer. */
export interface Waiter {
  readonly limit: number
  readonly cost: number
  readonly decide: (decision: RateDecision) => void
  /** Whether it is part of the question that is under way. */
  asked: boolean
}

/** What is known of a subject. Times are the replica's. */
export class PermitShare {
  readonly subject: RateSubject
  /** What the database knows it by. */
  readonly name: string
  /**
   * Requests that wait. There is seldom one, and a set takes as much memory as all else here: none is kept for nobody.
   */
  private waiters: Set<Waiter> | undefined
  /** The limit that the last word is about. */
  limit: number
  /** Permits of the lease, and those of them that are left. */
  leased = 0
  left = 0
  validUntil_ms = 0
  /** When a request passed last, and how many did without a permit since the last question. */
  used_ms = 0
  owed = 0
  /** Whether a question is under way, and how much of what was owed it tells. */
  underWay = false
  private telling = 0
  /** The lease's name. */
  private end_ms = 0
  /** The last word: when it was asked for, and what it said. */
  asked_ms = Number.NEGATIVE_INFINITY
  total = 0
  opens_ms = 0
  recheck_ms = 0
  reset_ms = 0

  constructor(subject: RateSubject, name: string, limit: number) {
    this.subject = subject
    this.name = name
    this.limit = limit
  }

  get waiting(): ReadonlySet<Waiter> {
    return this.waiters ?? nobody
  }

  join(waiter: Waiter): void {
    this.waiters ??= new Set()
    this.waiters.add(waiter)
  }

  /** Whether it was still waiting. */
  leave(waiter: Waiter): boolean {
    const waited = this.waiters?.delete(waiter) === true
    if (this.waiters?.size === 0) this.waiters = undefined
    return waited
  }

  /** How many requests the last word leaves, with the permits here. */
  get remaining(): number {
    return this.limit - this.total - this.owed + this.left
  }

  /** Ends the lease: nothing passes on it any more, and what was used is told. */
  question(now_ms: number): PermitQuestion {
    const used = this.leased - this.left + this.owed
    let need = 0
    for (const waiter of this.waiting) {
      waiter.asked = true
      need += waiter.cost
    }
    const question = {
      subject: this.name,
      limit: this.limit,
      need,
      extra: demandGrowth * used,
      ended_ms: this.end_ms,
      leased: this.leased,
      used,
      age_ms: Math.min(oldest_ms, Math.max(0, Math.floor(now_ms - this.used_ms)))
    }
    this.underWay = true
    this.telling = this.owed
    this.owed = 0
    this.loseLease()
    return question
  }

  accept(answer: PermitAnswer, sent_ms: number): void {
    this.underWay = false
    this.end_ms = answer.end_ms
    this.leased = answer.granted
    this.left = answer.granted
    this.validUntil_ms = sent_ms + answer.valid_ms
    this.asked_ms = sent_ms
    this.total = answer.total
    this.opens_ms = sent_ms + answer.opens_ms
    this.recheck_ms = sent_ms + answer.recheck_ms
    this.reset_ms = sent_ms + answer.reset_ms
  }

  /**
   * No answer came. If the question did not arrive, the lease counts as used in the database, and what is owed is told
   * again.
   */
  fail(): void {
    this.underWay = false
    this.owed += this.telling
  }

  /** The permits count as used in the database, which may have lost count of them. */
  loseLease(): void {
    this.end_ms = 0
    this.leased = 0
    this.left = 0
  }
}

const nobody: ReadonlySet<Waiter> = new Set()
/** What is asked for in advance, for each request that passed since the last question. */
const demandGrowth = 2
/** Long enough to be out of every window. */
const oldest_ms = 3_600_000

/** Keys, or addresses: each has room for so many, so that a flood of addresses pushes out no key. */
export class PermitShares {
  /** The replica's own count. */
  readonly local: SlidingWindows
  /** A full cache drops the subject that is known longest: reading one does not move it. Its lease counts as used. */
  private readonly shares: LRUCache<RateSubject, PermitShare>

  constructor(maximum: number) {
    this.shares = new LRUCache({ max: maximum })
    this.local = new SlidingWindows(maximum)
  }

  find(subject: RateSubject): PermitShare | undefined {
    return this.shares.peek(subject)
  }

  values(): Iterable<PermitShare> {
    return this.shares.values()
  }

  add(share: PermitShare): void {
    this.shares.set(share.subject, share)
  }

  forget(share: PermitShare): void {
    this.shares.delete(share.subject)
  }
}
