/**
 * Gathers items into batches: each group has one running batch, and items that arrive meanwhile form the next one. For
 * charges this is group commit: commits of an account are serialized by a lock that is held until the flush to disk, so
 * batching multiplies their throughput.
 *
 * Batches of several groups are started together, because a shared round trip costs the same for any number of them. The
 * next batches start when those have ended or are late.
 */
import type { Unavailable } from "@postcode/gateway/Errors"
import { Effect, Exit, Fiber, type Scope } from "effect"
import { databaseUnavailable } from "./Database.ts"

/** The outcome of each item of a batch. */
export type BatchOutcome<Answer, Failure> = ReadonlyArray<Exit.Exit<Answer, Failure>>

export interface BatcherOptions<Item, Answer, Failure> {
  /** Items of the same group share a batch. By default, there is one group. */
  readonly groupOf?: (item: Item) => string
  /**
   * Runs batches of different groups, with the items in order. Returns an effect for each batch: its outcome, or slower
   * work that finds it out. Only the batch's own group waits for that work. See `separately`.
   */
  readonly run: (
    batches: ReadonlyArray<ReadonlyArray<Item>>
  ) => Effect.Effect<ReadonlyArray<Effect.Effect<BatchOutcome<Answer, Failure>, Unavailable>>>
  /** Maximum number of items that are started together. */
  readonly maxBatch: number
  /** Maximum number of waiting and running items of all groups; more are refused as `Unavailable`. */
  readonly maxPending: number
  /** How long a run delays the next one, in milliseconds; 50 by default. */
  readonly maxDelay_ms?: number
}

/** A `run` for batches that have nothing to share: each is run by itself. */
export const separately =
  <Item, Answer, Failure>(
    run: (items: ReadonlyArray<Item>) => Effect.Effect<BatchOutcome<Answer, Failure>, Unavailable>
  ): BatcherOptions<Item, Answer, Failure>["run"] =>
  (batches) =>
    Effect.succeed(batches.map(run))

/** Returns `add` of a `Batcher`. When the scope closes, pending items are still run. */
export const makeBatcher = <Item, Answer, Failure>(
  options: BatcherOptions<Item, Answer, Failure>
): Effect.Effect<Batcher<Item, Answer, Failure>["add"], never, Scope.Scope> =>
  Effect.gen(function* () {
    const batcher = new Batcher(options, Effect.runForkWith(yield* Effect.context()))
    yield* Effect.addFinalizer(() => batcher.finish)
    return batcher.add
  })

interface Pending<Item, Answer, Failure> {
  readonly item: Item
  readonly resume: (exit: Exit.Exit<Answer, Failure | Unavailable>) => void
  withdrawn: boolean
}

interface Group<Item, Answer, Failure> {
  readonly name: string
  /** Items that are not in a batch yet. */
  readonly waiting: Array<Pending<Item, Answer, Failure>>
}

/** Items of a group that run together. */
interface Batch<Item, Answer, Failure> {
  readonly group: Group<Item, Answer, Failure>
  readonly items: ReadonlyArray<Pending<Item, Answer, Failure>>
}

type Ended<Answer, Failure> = Exit.Exit<BatchOutcome<Answer, Failure>, Unavailable>

/** See `makeBatcher`, which runs pending items when its scope closes. */
export class Batcher<Item, Answer, Failure> {
  private readonly options: BatcherOptions<Item, Answer, Failure>
  private readonly runFork: (effect: Effect.Effect<void>) => Fiber.Fiber<void>
  /** Groups with waiting or running items. */
  private readonly groups = new Map<string, Group<Item, Answer, Failure>>()
  /** FIFO queue of groups with waiting items and no running batch. */
  private readonly ready = new Set<Group<Item, Answer, Failure>>()
  private readonly running = new Set<Fiber.Fiber<void>>()
  /** Whether a run is scheduled or running and not late. */
  private isBlocked = false
  private pending = 0

  constructor(
    options: BatcherOptions<Item, Answer, Failure>,
    runFork: (effect: Effect.Effect<void>) => Fiber.Fiber<void>
  ) {
    this.options = options
    this.runFork = runFork
  }

  /** Waits for all pending items: each run that ends starts the next one. */
  readonly finish: Effect.Effect<void> = Effect.suspend(() =>
    this.running.size === 0 ? Effect.void : Effect.andThen(Fiber.awaitAll(this.running), this.finish)
  )

  /**
   * Runs an item in a batch. If its caller is interrupted before the batch begins, the item is withdrawn; otherwise it is
   * still run. If a batch fails, the waiting items of its group fail too, instead of waiting for the same failure.
   */
  readonly add = (item: Item): Effect.Effect<Answer, Failure | Unavailable> =>
    Effect.callback((resume) => {
      if (this.pending >= this.options.maxPending) return resume(Effect.fail(databaseUnavailable))
      const pending: Pending<Item, Answer, Failure> = { item, resume, withdrawn: false }
      this.pending++
      this.enqueue(this.options.groupOf?.(item) ?? "", pending)
      return Effect.sync(() => {
        pending.withdrawn = true
      })
    })

  private enqueue(name: string, pending: Pending<Item, Answer, Failure>): void {
    const known = this.groups.get(name)
    if (known !== undefined) {
      known.waiting.push(pending)
      return
    }
    const group = { name, waiting: [pending] }
    this.groups.set(name, group)
    this.ready.add(group)
    this.schedule()
  }

  /** Schedules a run if possible. It also takes the items that arrive in this event-loop tick. */
  private schedule(): void {
    if (this.isBlocked || this.ready.size === 0) return
    this.isBlocked = true
    this.fork(
      Effect.andThen(
        Effect.yieldNow,
        Effect.suspend(() => this.runNext())
      )
    )
  }

  /** This fiber is never interrupted, so every item is answered. */
  private fork(effect: Effect.Effect<void>): void {
    const fiber = this.runFork(effect)
    this.running.add(fiber)
    fiber.addObserver(() => this.running.delete(fiber))
  }

  private runNext(): Effect.Effect<void> {
    const unblock = this.block()
    const batches = this.takeBatches()
    return batches.length === 0 ? Effect.sync(unblock) : Effect.map(this.start(batches), unblock)
  }

  private start(batches: ReadonlyArray<Batch<Item, Answer, Failure>>): Effect.Effect<void> {
    const start_ms = performance.now()
    // A throwing `run` must not end this fiber, or later items would wait forever.
    const running = Effect.suspend(() => this.options.run(batches.map(({ items }) => items.map(({ item }) => item))))
    return Effect.map(Effect.exit(running), (exit) => {
      for (const [i, batch] of batches.entries()) {
        const outcome = Exit.isSuccess(exit) ? (exit.value[i] ?? unanswered) : Exit.failCause(exit.cause)
        if (Exit.isExit(outcome)) this.end(batch, outcome as Ended<Answer, Failure>, start_ms)
        else this.fork(Effect.map(Effect.exit(outcome), (exit) => this.end(batch, exit, start_ms)))
      }
    })
  }

  /** Blocks the next run until the returned function is called, or until this one is late. */
  private block(): () => void {
    const unblock = (): void => {
      clearTimeout(late)
      if (!isBlocking) return
      isBlocking = false
      this.isBlocked = false
      this.schedule()
    }
    let isBlocking = true
    const late = setTimeout(unblock, this.options.maxDelay_ms ?? maxDelay_ms)
    return unblock
  }

  private takeBatches(): ReadonlyArray<Batch<Item, Answer, Failure>> {
    const batches: Array<Batch<Item, Answer, Failure>> = []
    let capacity = this.options.maxBatch
    for (const group of this.ready) {
      if (capacity === 0) break
      const items = this.take(group, capacity)
      capacity -= items.length
      this.ready.delete(group)
      if (items.length > 0) batches.push({ group, items })
      else this.release(group)
    }
    return batches
  }

  /** Removes the first waiting items, and returns those that are not withdrawn. */
  private take({ waiting }: Group<Item, Answer, Failure>, capacity: number): Batch<Item, Answer, Failure>["items"] {
    const taken = waiting.splice(0, capacity)
    const items = taken.filter(({ withdrawn }) => !withdrawn)
    this.pending -= taken.length - items.length
    return items
  }

  private end({ group, items }: Batch<Item, Answer, Failure>, exit: Ended<Answer, Failure>, start_ms: number): void {
    if (Exit.isSuccess(exit)) this.answer(items, exit.value)
    else {
      const failed = [...items, ...group.waiting.splice(0)]
      this.answer(failed, Array(failed.length).fill(exit))
    }
    const pause_ms = items.length === 1 ? 0 : pauseAfter_ms(performance.now() - start_ms)
    if (pause_ms < 1) this.release(group)
    else
      this.fork(
        Effect.andThen(
          Effect.sleep(pause_ms),
          Effect.sync(() => this.release(group))
        )
      )
  }

  private answer(
    items: ReadonlyArray<Pending<Item, Answer, Failure>>,
    exits: ReadonlyArray<Exit.Exit<Answer, Failure | Unavailable>>
  ): void {
    this.pending -= items.length
    for (const [i, { resume }] of items.entries()) resume(exits[i] ?? unanswered)
  }

  /** Called when the group has no running batch. */
  private release(group: Group<Item, Answer, Failure>): void {
    if (group.waiting.length === 0) this.groups.delete(group.name)
    else if (group.waiting.length >= separateSize) this.runAlone(group)
    else {
      this.ready.add(group)
      this.schedule()
    }
  }

  private runAlone(group: Group<Item, Answer, Failure>): void {
    const items = this.take(group, this.options.maxBatch)
    if (items.length === 0) this.release(group)
    else this.fork(this.start([{ group, items }]))
  }
}

/**
 * A group with this many waiting items is run separately: they already share a round trip, and other groups would
 * wait for all of them.
 */
const separateSize = 50

/**
 * A longer run indicates a slow database or a silent connection, for which other groups need not wait.
 */
const maxDelay_ms = 50

/**
 * Clients that were just answered often send their next request while the next batch runs, so two halves of the clients
 * would wait for each other. A pause that is short compared with a run lets them join. Fast runs need none.
 */
const pauseAfter_ms = (run_ms: number): number => Math.min(run_ms / 8, maxPause_ms)

const maxPause_ms = 5

const unanswered = Exit.die(new Error("a batch was answered with fewer answers than it has items"))
