/**
 * One replica's part in limits that all replicas share.
 *
 * A request that finds a permit here passes at once. One that does not waits for the database, together with all others
 * that do: there is one question under way at a time, about any number of subjects, and the next is gathered meanwhile.
 * What is used is told with the next question, or half a second later at the latest, and what is not used is given back.
 * Where the database has refused, that is remembered for as long as it must stay so.
 *
 * The replica counts by itself, too, and nothing passes that its own count forbids. It is the only count while no answer
 * comes: a request waits for `patience_ms` and no longer, and from then on none waits until an answer has come. What
 * passes meanwhile is told later, so that the shared count is soon right again.
 */
import { isOfCustomer, type RateDecision, type RateSubject, window_s } from "@postcode/core/limits/RateLimiter"
import { Effect, Exit } from "effect"
import type { PermitAnswer, PermitSource } from "./PermitQuestions.ts"
import { PermitShare, PermitShares, type Waiter } from "./PermitShares.ts"

/** What a replica asks, and how long it waits and remembers. */
export interface PermitLeasesOptions {
  readonly source: PermitSource
  /** A time that never goes backwards, in milliseconds from any origin less than 60 years away. */
  readonly now_ms: () => number
  /** What the database knows a subject by. */
  readonly nameOf: (subject: RateSubject) => string
  /** How long a request waits for the database. */
  readonly patience_ms: number
  /** How many keys with organizations are remembered at most, and how many addresses. */
  readonly maximumSubjects: number
  /** Told why no answer came, once until one comes again. */
  readonly onAway: (cause: unknown) => void
}

/** The limits of one replica: `take` decides on a request, `settle` and `giveBack` keep the database informed. */
export class PermitLeases {
  private readonly options: PermitLeasesOptions
  private readonly customers: PermitShares
  private readonly addresses: PermitShares
  /** What the next question is about. */
  private readonly gathered = new Set<PermitShare>()
  private scheduled = false
  private asking: Promise<void> | undefined
  /** Whether an answer is overdue, so that nothing waits for one. */
  private away = false
  private complained = false

  constructor(options: PermitLeasesOptions) {
    this.options = options
    this.customers = new PermitShares(options.maximumSubjects)
    this.addresses = new PermitShares(options.maximumSubjects)
  }

  /** Decides at once where it can, and answers the outcome itself then. */
  take(subject: RateSubject, limit: number, cost: number): Effect.Effect<RateDecision> {
    const now_ms = this.options.now_ms()
    const shares = this.sharesOf(subject)
    const known = shares.find(subject)
    const decision = known === undefined ? undefined : this.decideAtOnce(known, limit, cost, now_ms)
    if (decision !== undefined) return Exit.succeed(decision)
    const local = shares.local.take(subject, limit, 0, now_ms)
    if (cost > local.remaining) return Exit.succeed({ ...local, allowed: false })
    const share = known ?? new PermitShare(subject, this.options.nameOf(subject), limit)
    if (known === undefined) shares.add(share)
    if (this.away) return Exit.succeed(this.decideAlone(share, limit, cost, now_ms))
    return Effect.callback((resume) => this.wait(share, limit, cost, (decided) => resume(Exit.succeed(decided))))
  }

  /** To be called every half second: tells what was used, renews leases in use, and gives back those that are over. */
  settle(): void {
    const now_ms = this.options.now_ms()
    for (const shares of [this.customers, this.addresses]) {
      for (const share of shares.values()) {
        if (share.underWay || share.waiting.size > 0) continue
        const isOver = share.leased > 0 && now_ms >= share.validUntil_ms
        if (isOver || share.owed > 0 || share.leased > share.left) this.gathered.add(share)
        else if (share.leased === 0 && now_ms >= Math.max(share.recheck_ms, share.asked_ms + fresh_ms)) {
          shares.forget(share)
        }
      }
    }
    this.schedule()
  }

  /** Gives back all permits, as a replica does that stops. */
  async giveBack(): Promise<void> {
    await this.asking
    const held = [...this.customers.values(), ...this.addresses.values()].filter(
      ({ leased, owed }) => leased + owed > 0
    )
    for (let i = 0; i < held.length; i += mostQuestions) {
      const now_ms = this.options.now_ms()
      const questions = held.slice(i, i + mostQuestions).map((share) => ({ ...share.question(now_ms), extra: 0 }))
      await this.options.source.ask(questions)
    }
  }

  private sharesOf(subject: RateSubject): PermitShares {
    return isOfCustomer(subject) ? this.customers : this.addresses
  }

  /** What needs no answer: a permit is here, or it is known that there is none. */
  private decideAtOnce(share: PermitShare, limit: number, cost: number, now_ms: number): RateDecision | undefined {
    if (share.underWay || share.waiting.size > 0 || limit !== share.limit) return undefined
    const permits = now_ms < share.validUntil_ms ? share.left : 0
    if (cost > 0 && cost <= permits) return this.decide(share, limit, cost, now_ms)
    const isFull = share.remaining <= 0 && now_ms < share.recheck_ms
    if (isFull) return this.refuse(share, limit, cost, now_ms)
    return cost === 0 && now_ms < share.asked_ms + fresh_ms ? this.decide(share, limit, 0, now_ms) : undefined
  }

  /** Decides without the database: by this replica's own count, and by a refusal that still holds. */
  private decideAlone(share: PermitShare, limit: number, cost: number, now_ms: number): RateDecision {
    if (share.total >= limit && now_ms < share.opens_ms) return this.refuse(share, limit, cost, now_ms)
    const decision = this.sharesOf(share.subject).local.take(share.subject, limit, cost, now_ms)
    if (decision.allowed && cost > 0) {
      share.owed += cost
      share.used_ms = now_ms
    }
    return decision
  }

  private refuse(share: PermitShare, limit: number, cost: number, now_ms: number): RateDecision {
    return { ...this.decide(share, limit, 0, now_ms), allowed: cost === 0 }
  }

  /** Decides by both counts. The permits that it takes are here. */
  private decide(share: PermitShare, limit: number, cost: number, now_ms: number): RateDecision {
    const local = this.sharesOf(share.subject).local.take(share.subject, limit, cost, now_ms)
    if (local.allowed && cost > 0) {
      share.left -= cost
      share.used_ms = now_ms
    }
    const remaining = Math.max(0, Math.min(local.remaining, share.remaining + limit - share.limit))
    const opens_s = Math.max(1, local.retry_after_s, secondsUntil(share.opens_ms, now_ms))
    return {
      allowed: local.allowed,
      limit,
      remaining,
      reset_s: Math.max(local.reset_s, secondsUntil(share.reset_ms, now_ms)),
      retry_after_s: remaining > 0 ? 0 : opens_s
    }
  }

  private wait(
    share: PermitShare,
    limit: number,
    cost: number,
    resume: (decision: RateDecision) => void
  ): Effect.Effect<void> {
    const loseHope = (): void => {
      if (!share.leave(waiter)) return
      this.away = true
      resume(this.decideAlone(share, limit, cost, this.options.now_ms()))
    }
    // Where this process was held up, the answer may lie there unread.
    const timer = setTimeout(() => setImmediate(loseHope), this.options.patience_ms)
    const decide = (decision: RateDecision): void => {
      clearTimeout(timer)
      share.leave(waiter)
      resume(decision)
    }
    const waiter: Waiter = { limit, cost, decide, asked: false }
    share.join(waiter)
    if (!share.underWay) share.limit = limit
    this.gathered.add(share)
    this.schedule()
    return Effect.sync(() => {
      clearTimeout(timer)
      share.leave(waiter)
    })
  }

  private schedule(): void {
    if (this.asking !== undefined || this.scheduled || this.gathered.size === 0) return
    this.scheduled = true
    // Requests that arrived together ask together.
    setImmediate(() => {
      this.scheduled = false
      this.asking = this.ask().then(() => {
        this.asking = undefined
        this.schedule()
      })
    })
  }

  private async ask(): Promise<void> {
    const { now_ms, onAway, source } = this.options
    const shares = [...this.gathered].slice(0, mostQuestions)
    for (const share of shares) this.gathered.delete(share)
    const sent_ms = now_ms()
    try {
      const answers = await source.ask(shares.map((share) => share.question(sent_ms)))
      this.away = false
      this.complained = false
      for (const [i, share] of shares.entries()) this.accept(share, answers[i] as PermitAnswer, sent_ms)
    } catch (cause) {
      if (!this.complained) onAway(cause)
      this.complained = true
      this.away = true
      for (const share of shares) share.fail()
      this.goOnAlone(shares)
    }
  }

  private accept(share: PermitShare, answer: PermitAnswer, sent_ms: number): void {
    share.accept(answer, sent_ms)
    const now_ms = this.options.now_ms()
    const permits = () => (now_ms < share.validUntil_ms ? share.left : 0)
    for (const waiter of share.waiting) {
      const { asked, cost, decide, limit } = waiter
      if (cost <= permits()) decide(this.decide(share, limit, cost, now_ms))
      else if (asked) decide(this.refuse(share, limit, cost, now_ms))
      else this.gathered.add(share)
    }
    for (const { limit } of share.waiting) share.limit = limit
  }

  /** Whoever waits is decided here and now. Leases may be lost with the connection. */
  private goOnAlone(asked: ReadonlyArray<PermitShare>): void {
    this.gathered.clear()
    const now_ms = this.options.now_ms()
    for (const share of [...asked, ...this.customers.values(), ...this.addresses.values()]) {
      share.loseLease()
      for (const { cost, decide, limit } of share.waiting) decide(this.decideAlone(share, limit, cost, now_ms))
    }
  }
}

/** For how long an answer tells how much is left. */
const fresh_ms = 500
/** How many subjects are in a question at most. */
const mostQuestions = 500

const secondsUntil = (then_ms: number, now_ms: number): number =>
  Math.min(window_s, Math.max(0, Math.ceil((then_ms - now_ms) / 1000)))
