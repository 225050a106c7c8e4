/** What a replica knows of one subject under one limit: its local allowance, and the last answer of the database. */
import { type RateDecision, type RateSubject, window_s } from "@postcode/gateway/limits/RateLimiter"
import type { SlidingWindows } from "@postcode/gateway/limits/SlidingWindows"
import { maxExtra, type QuotaAnswer, type QuotaRequest, usable_ms } from "./QuotaRequests.ts"

/** How long an answer is used without another query, as the window may change at other replicas. */
const fresh_ms = 500

/** Times are the replica's. */
export class Quota {
  readonly subject: RateSubject
  readonly limit: number
  /** Requests that wait for the next query. */
  need = 0
  isQueried = false
  private readonly name: string
  private readonly window: SlidingWindows
  private end_ms = 0
  private granted = 0
  private left = 0
  private validUntil_ms = 0
  /** Allowed without an allowance since the last query. */
  private owed = 0
  private used_ms = 0
  private total = 0
  private opens_ms = 0
  private reset_ms = 0
  private freshUntil_ms = Number.NEGATIVE_INFINITY

  /** @param name identifies the subject in the database */
  constructor(subject: RateSubject, name: string, limit: number, window: SlidingWindows) {
    this.subject = subject
    this.name = name
    this.limit = limit
    this.window = window
  }

  /** Whether the allowance was used or has ended, so that the database has to know. */
  hasReport(now_ms: number): boolean {
    return this.owed > 0 || this.left < this.granted || (this.left > 0 && now_ms >= this.validUntil_ms)
  }

  get isHolding(): boolean {
    return this.owed + this.granted > 0
  }

  /** Whether the database and this replica know the same of it. */
  isIdle(now_ms: number): boolean {
    return !this.isQueried && this.need === 0 && !this.isHolding && now_ms >= this.freshUntil_ms
  }

  /** Whether the database has to be queried before a decision: neither the allowance nor the last answer suffices. */
  isMissing(cost: number, now_ms: number): boolean {
    if (this.isCovered(cost, now_ms)) return false
    const isAllowed = cost > 0 && cost <= Math.max(0, this.remaining)
    if (now_ms < this.freshUntil_ms && !isAllowed) return false
    return cost <= this.window.take(this.subject, this.limit, 0, now_ms).remaining
  }

  /** Decides by the allowance or by the last answer; undefined if the database has to be queried. */
  decide(cost: number, now_ms: number): RateDecision | undefined {
    if (this.isMissing(cost, now_ms)) return undefined
    if (this.isCovered(cost, now_ms)) {
      const local = this.window.take(this.subject, this.limit, cost, now_ms)
      if (local.allowed) this.use(cost, now_ms)
      return this.combine(local, now_ms)
    }
    const local = this.window.take(this.subject, this.limit, 0, now_ms)
    // Taking more than remains counts nothing, and returns when there may be room for it.
    if (cost > local.remaining) return this.combine(this.window.take(this.subject, this.limit, cost, now_ms), now_ms)
    const isRefused = cost > Math.max(0, this.remaining)
    const decision = this.combine(local, now_ms)
    return isRefused
      ? { ...decision, allowed: false, retry_after_s: decision.retry_after_s || decision.reset_s }
      : decision
  }

  /** Decides by the requests of this replica, and by a refusal of the database that is still valid. */
  decideAlone(cost: number, now_ms: number): RateDecision {
    const isFull = this.total >= this.limit && now_ms < this.opens_ms
    const local = this.window.take(this.subject, this.limit, isFull ? 0 : cost, now_ms)
    if (isFull) return { ...this.combine(local, now_ms), allowed: cost === 0 }
    if (local.allowed) this.use(cost, now_ms)
    return local
  }

  /** Ends the allowance, and reports what was used. */
  request(now_ms: number, growth: number): QuotaRequest {
    const used = this.granted - this.left + this.owed
    const { end_ms, granted, limit, name, need } = this
    this.isQueried = true
    this.freshUntil_ms = Number.NEGATIVE_INFINITY
    this.need = this.granted = this.left = this.owed = 0
    const age_ms = now_ms - this.used_ms
    const extra = Math.min(growth * used, maxExtra(limit))
    return { subject: name, quota: limit, need, extra, ended_ms: end_ms, granted, used, age_ms }
  }

  accept({ end_ms, granted, opens_ms, reset_ms, total }: QuotaAnswer, sent_ms: number): void {
    this.isQueried = false
    this.end_ms = end_ms
    this.granted = granted
    this.left = granted
    this.validUntil_ms = sent_ms + usable_ms
    this.total = total
    this.opens_ms = sent_ms + opens_ms
    this.reset_ms = sent_ms + reset_ms
    // A full window of which no replica holds a part changes only when it opens.
    const isFixed = total >= this.limit && reset_ms <= 1000 * window_s
    this.freshUntil_ms = sent_ms + (isFixed ? opens_ms : fresh_ms)
  }

  /** Without an answer: the database counts the whole allowance as used. What was used beyond it is reported again. */
  fail({ granted, used }: QuotaRequest): void {
    this.isQueried = false
    this.owed += Math.max(0, used - granted)
  }

  private isCovered(cost: number, now_ms: number): boolean {
    return cost > 0 && cost <= this.left && now_ms < this.validUntil_ms
  }

  private get remaining(): number {
    return this.limit - this.total - this.owed + this.left
  }

  private use(cost: number, now_ms: number): void {
    if (cost === 0) return
    const covered = Math.min(this.left, cost)
    this.left -= covered
    this.owed += cost - covered
    this.used_ms = now_ms
  }

  /** The smaller remainder and the longer times of this replica's requests and of the last answer. */
  private combine(local: RateDecision, now_ms: number): RateDecision {
    const remaining = Math.max(0, Math.min(local.remaining, this.remaining))
    const opens_s = Math.max(1, local.retry_after_s, secondsUntil(this.opens_ms, now_ms))
    return {
      ...local,
      remaining,
      reset_s: Math.max(local.reset_s, secondsUntil(this.reset_ms, now_ms)),
      retry_after_s: remaining > 0 ? local.retry_after_s : opens_s
    }
  }
}

const secondsUntil = (then_ms: number, now_ms: number): number =>
  Math.min(window_s, Math.max(0, Math.ceil((then_ms - now_ms) / 1000)))
