/**
 * Group commit: of each group one batch is under way, and the next is gathered meanwhile. The lock at which the commits
 * of a group take turns is held until each is flushed to disk, so many that share one flush pass where one could.
 */
import type { Unavailable } from "@postcode/core/Errors"
import { Effect, Exit, Fiber, type Scope } from "effect"
import { databaseAway } from "./Database.ts"

export interface GroupCommitOptions<Item, Answer, Failure> {
  /** Which items share a batch. */
  readonly groupOf: (item: Item) => string
  /** Writes a batch of one group in the order given, and answers what became of each item. */
  readonly commit: (batch: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<Exit.Exit<Answer, Failure>>, Unavailable>
  /** The most items of one batch. */
  readonly maximumBatch: number
  /** The most items of all groups that wait or are under way; one more is refused as `Unavailable`. */
  readonly maximumPending: number
}

/**
 * Answers how to write an item. An item whose caller is interrupted is withdrawn if its batch was not begun; otherwise it
 * stays in its batch, and nobody hears what became of it.
 *
 * If a batch fails, so does all that waits behind it: it would only wait for the same. When the scope closes, what is
 * pending is still written.
 */
export const makeGroupCommit = <Item, Answer, Failure>(
  options: GroupCommitOptions<Item, Answer, Failure>
): Effect.Effect<(item: Item) => Effect.Effect<Answer, Failure | Unavailable>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const run = Effect.runForkWith(yield* Effect.context())
    const writer = new GroupWriter(options, run)
    yield* Effect.addFinalizer(() => writer.finish)
    return (item) => writer.write(item)
  })

interface Pending<Item, Answer, Failure> {
  readonly item: Item
  readonly resume: (exit: Exit.Exit<Answer, Failure | Unavailable>) => void
  withdrawn: boolean
}

class GroupWriter<Item, Answer, Failure> {
  private readonly options: GroupCommitOptions<Item, Answer, Failure>
  private readonly run: (effect: Effect.Effect<void>) => Fiber.Fiber<void>
  /** What waits, of each group of which a batch is under way. */
  private readonly groups = new Map<string, Array<Pending<Item, Answer, Failure>>>()
  private readonly underWay = new Set<Fiber.Fiber<void>>()
  private pending = 0

  constructor(
    options: GroupCommitOptions<Item, Answer, Failure>,
    run: (effect: Effect.Effect<void>) => Fiber.Fiber<void>
  ) {
    this.options = options
    this.run = run
  }

  /** Waits for all that is under way. */
  readonly finish: Effect.Effect<void> = Effect.suspend(() => Fiber.awaitAll(this.underWay))

  write(item: Item): Effect.Effect<Answer, Failure | Unavailable> {
    return Effect.callback((resume) => {
      if (this.pending >= this.options.maximumPending) return resume(Effect.fail(databaseAway))
      const pending: Pending<Item, Answer, Failure> = { item, resume, withdrawn: false }
      this.pending++
      this.add(this.options.groupOf(item), pending)
      return Effect.sync(() => {
        pending.withdrawn = true
      })
    })
  }

  private add(group: string, pending: Pending<Item, Answer, Failure>): void {
    const waiting = this.groups.get(group)
    if (waiting !== undefined) {
      waiting.push(pending)
      return
    }
    const first = [pending]
    this.groups.set(group, first)
    // Nobody interrupts this fiber, so whoever waits is always answered.
    const fiber = this.run(this.writeAll(group, first))
    this.underWay.add(fiber)
    fiber.addObserver(() => this.underWay.delete(fiber))
  }

  private writeAll(group: string, waiting: Array<Pending<Item, Answer, Failure>>): Effect.Effect<void> {
    const all = Effect.whileLoop({
      while: () => waiting.length > 0 || !this.groups.delete(group),
      body: () => this.writeNext(waiting),
      step: () => {}
    })
    // What comes in one turn of the event loop goes into one batch.
    return Effect.andThen(Effect.yieldNow, all)
  }

  private writeNext(waiting: Array<Pending<Item, Answer, Failure>>): Effect.Effect<void> {
    const taken = waiting.splice(0, this.options.maximumBatch)
    const batch = taken.filter(({ withdrawn }) => !withdrawn)
    this.pending -= taken.length - batch.length
    if (batch.length === 0) return Effect.void
    const start_ms = performance.now()
    // One that throws must not end this fiber: whoever came later would wait for ever.
    const committed = Effect.suspend(() => this.options.commit(batch.map(({ item }) => item)))
    return Effect.flatMap(Effect.exit(committed), (exit) => {
      if (Exit.isSuccess(exit)) this.end(batch, exit.value)
      else {
        const failed = [...batch, ...waiting.splice(0)]
        this.end(failed, Array(failed.length).fill(exit))
      }
      return batch.length === 1 ? Effect.void : pauseAfter(performance.now() - start_ms)
    })
  }

  private end(
    ended: ReadonlyArray<Pending<Item, Answer, Failure>>,
    exits: ReadonlyArray<Exit.Exit<Answer, Failure | Unavailable>>
  ): void {
    this.pending -= ended.length
    for (const [i, { resume }] of ended.entries()) resume(exits[i] ?? unanswered)
  }
}

/**
 * Those who were just answered come back while the next batch is under way, if that begins at once: then half of all wait
 * for the other half. A pause that is short beside a commit lets them join. Commits that are quick need none.
 */
const pauseAfter = (commit_ms: number): Effect.Effect<void> => {
  const pause_ms = Math.min(commit_ms / 8, longestPause_ms)
  return pause_ms < 1 ? Effect.void : Effect.sleep(pause_ms)
}

const longestPause_ms = 5

const unanswered = Exit.die(new Error("a batch was answered with fewer answers than it has items"))
