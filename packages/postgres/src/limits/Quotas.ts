/**
 * One replica's part in limits that all replicas share.
 *
 * A request that finds local allowance passes at once. The others wait for the database together: one query runs at a
 * time, about any number of subjects. Used allowances are reported and renewed every half second, unused ones returned.
 * The replica also counts its own requests; nothing passes that this count forbids. While the database is unavailable,
 * that count alone decides, and what it allows is reported later.
 */
import { setImmediate as nextTick } from "node:timers/promises"
import {
  isOfCustomer,
  type RateDecision,
  type RateLimit,
  type RateSubject,
  type SubjectDecision,
  stricterOf
} from "@postcode/gateway/limits/RateLimiter"
import { SlidingWindows } from "@postcode/gateway/limits/SlidingWindows"
import { Effect, Exit } from "effect"
import { LRUCache } from "lru-cache"
import { Batcher, separately } from "../connection/Batcher.ts"
import { Quota } from "./Quota.ts"
import type { QuotaSource } from "./QuotaRequests.ts"

export interface QuotasOptions {
  readonly source: QuotaSource
  /** A monotonic time in milliseconds, from any origin less than 60 years away. */
  readonly now_ms: () => number
  /** Identifies a subject in the database. */
  readonly nameOf: (subject: RateSubject) => string
  /** How long a request waits for the database. */
  readonly timeout_ms: number
  /** Maximum number of keys and organizations, and of addresses and identifiers. */
  readonly maxSubjects: number
  /** Called with the first failure after an answer. */
  readonly onUnavailable: (cause: unknown) => void
}

export class Quotas {
  private readonly options: QuotasOptions
  private readonly customers: Known
  private readonly addresses: Known
  /** The end of the next query about each quota. */
  private readonly gathered = new Map<Quota, Promise<void>>()
  private readonly queries: Batcher<Quota, void, never>
  /** Whether an answer is overdue. Then no request waits for one. */
  private isUnavailable = false
  private hasFailed = false
  private growth = usedGrowth

  constructor(options: QuotasOptions) {
    this.options = options
    this.customers = this.known()
    this.addresses = this.known()
    this.queries = new Batcher<Quota, void, never>(
      {
        run: separately((quotas) => Effect.as(this.send(quotas), Array(quotas.length).fill(Exit.void))),
        maxBatch: maxRequests,
        maxPending: Number.POSITIVE_INFINITY
      },
      Effect.runFork
    )
  }

  /** See `RateLimiter`. Decides synchronously where it can, and queries the database about all limits together. */
  takeAll(limits: ReadonlyArray<RateLimit>, cost: number): Effect.Effect<SubjectDecision> {
    const quotas = limits.map((limit) => this.quotaOf(limit))
    const request = new LimitedRequest(quotas, cost)
    return this.decide(request) ?? this.wait(request)
  }

  /** The same for one limit. */
  take(subject: RateSubject, limit: number, cost: number): Effect.Effect<RateDecision> {
    return Effect.mapEager(this.takeAll([{ subject, limit }], cost), ({ decision }) => decision)
  }

  /** Reports and renews what is used, and returns allowances that have ended; to be called every half second. */
  settle(): void {
    const now_ms = this.options.now_ms()
    for (const known of [this.customers, this.addresses]) {
      for (const [key, quota] of known.entries()) {
        if (quota.isIdle(now_ms)) known.delete(key)
        else if (!quota.isQueried && quota.hasReport(now_ms)) void this.query(quota)
      }
    }
  }

  /** Returns all allowances, when the replica stops. */
  async release(): Promise<void> {
    this.growth = 0
    await Effect.runPromise(this.queries.finish)
    for (const known of [this.customers, this.addresses]) {
      for (const quota of known.values()) if (quota.isHolding) void this.query(quota)
    }
    await Effect.runPromise(this.queries.finish)
  }

  private known(): Known {
    const { maxSubjects, nameOf } = this.options
    const window = new SlidingWindows(maxSubjects)
    return new LRUCache({
      max: maxSubjects,
      memoMethod: (_, __, { context: { limit, subject } }) => new Quota(subject, nameOf(subject), limit, window)
    })
  }

  private quotaOf({ limit, subject }: RateLimit): Quota {
    const known = isOfCustomer(subject) ? this.customers : this.addresses
    return known.memo(`${limit} ${subject}`, { context: { subject, limit } })
  }

  /** Decides about one limit after the other; undefined if the database has to be queried about the next one. */
  private decide(request: LimitedRequest): Exit.Exit<SubjectDecision> | undefined {
    const now_ms = this.options.now_ms()
    const { cost } = request
    for (let quota = request.next; quota !== undefined; quota = request.next) {
      const decision = quota.decide(cost, now_ms) ?? (this.isUnavailable ? quota.decideAlone(cost, now_ms) : undefined)
      if (decision === undefined) return undefined
      request.take(decision)
    }
    return Exit.succeed(request.strictest)
  }

  private wait(request: LimitedRequest): Effect.Effect<SubjectDecision> {
    return Effect.callback((resume) => {
      const { cost } = request
      let isOver = false
      let missing: ReadonlyArray<Quota> = []
      const decide = (): void => {
        if (isOver) return
        const decision = this.decide(request)
        if (decision === undefined) enter()
        else {
          stop()
          resume(decision)
        }
      }
      const enter = (): void => {
        const now_ms = this.options.now_ms()
        missing = request.waiting.filter((quota) => quota.isMissing(cost, now_ms))
        for (const quota of missing) quota.need += cost
        void Promise.all(missing.map((quota) => this.query(quota))).then(decide)
      }
      const stop = (): void => {
        isOver = true
        clearTimeout(timer)
      }
      const onTimeout = (): void => {
        if (!isOver) this.isUnavailable = true
        decide()
      }
      // After a blocked event loop, the answer may have arrived unread.
      const timer = setTimeout(() => setImmediate(onTimeout), this.options.timeout_ms)
      enter()
      return Effect.sync(() => {
        for (const quota of missing) if (!quota.isQueried) quota.need = Math.max(0, quota.need - cost)
        stop()
      })
    })
  }

  /** Adds a quota to the next query, and resolves when that has ended. */
  private query(quota: Quota): Promise<void> {
    const ended = this.gathered.get(quota) ?? Effect.runPromise(this.queries.add(quota))
    this.gathered.set(quota, ended)
    return ended
  }

  /** Never fails, so quotas that wait for the next query are not affected by this one. */
  private send(quotas: ReadonlyArray<Quota>): Effect.Effect<void> {
    return Effect.promise(async () => {
      // A query reports allowances as unused, so the requests that waited for the last answer use theirs first.
      await nextTick()
      const { now_ms, onUnavailable, source } = this.options
      for (const quota of quotas) this.gathered.delete(quota)
      const sent_ms = now_ms()
      const requests = quotas.map((quota) => quota.request(sent_ms, this.growth))
      try {
        const answers = await source(requests)
        this.isUnavailable = this.hasFailed = false
        for (const [i, answer] of answers.entries()) quotas[i]?.accept(answer, sent_ms)
      } catch (cause) {
        if (!this.hasFailed) onUnavailable(cause)
        this.isUnavailable = this.hasFailed = true
        for (const [i, request] of requests.entries()) quotas[i]?.fail(request)
      }
    })
  }
}

/** A request under several limits, each of which counts what the one before it allows. */
class LimitedRequest {
  readonly cost: number
  /** The limits that are not decided yet, in order. */
  waiting: ReadonlyArray<Quota>
  private decided: SubjectDecision | undefined

  constructor(quotas: ReadonlyArray<Quota>, cost: number) {
    this.waiting = quotas
    this.cost = cost
  }

  /** The limit to decide about; undefined if one has refused the request, or all have allowed it. */
  get next(): Quota | undefined {
    return this.decided?.decision.allowed === false ? undefined : this.waiting[0]
  }

  get strictest(): SubjectDecision {
    if (this.decided === undefined) throw new RangeError("expected a limit")
    return this.decided
  }

  /** Takes the decision of the next limit. */
  take(decision: RateDecision): void {
    const [quota, ...waiting] = this.waiting
    if (quota === undefined) return
    const second = { subject: quota.subject, decision }
    this.decided = this.decided === undefined ? second : stricterOf(this.decided, second)
    this.waiting = waiting
  }
}

type Known = LRUCache<string, Quota, { readonly subject: RateSubject; readonly limit: number }>

/** Expected requests for each one since the last query. */
const usedGrowth = 2
/** Maximum number of subjects per query. */
const maxRequests = 500
