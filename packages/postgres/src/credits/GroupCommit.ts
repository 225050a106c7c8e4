/**
 * Group commit: of each group one batch is under way, and the next is gathered meanwhile. The lock at which the commits
 * of a group take turns is held until each is flushed to disk, so many that share one flush pass where one could.
 *
 * The batches of all groups go together in rounds, since a round trip costs the same with however many it carries. The
 * next round begins when the one before is over, or late: then it waits no longer.
 */
import type { Unavailable } from "@postcode/core/Errors"
import { Effect, Exit, Fiber, type Scope } from "effect"
import { databaseAway } from "../connection/Database.ts"

/** What became of each item of a batch. */
export type BatchOutcome<Answer, Failure> = ReadonlyArray<Exit.Exit<Answer, Failure>>

/** What is written, and how much of it at once. */
export interface GroupCommitOptions<Item, Answer, Failure> {
  /** Which items share a batch. */
  readonly groupOf: (item: Item) => string
  /**
   * Writes a round: batches of different groups, each in the order given. It answers for each what became of it, or how
   * that is found out where it takes longer: no other batch waits for that, only the group itself.
   */
  readonly commit: (
    batches: ReadonlyArray<ReadonlyArray<Item>>
  ) => Effect.Effect<ReadonlyArray<Effect.Effect<BatchOutcome<Answer, Failure>, Unavailable>>>
  /** The most items of one round. */
  readonly maxBatch: number
  /** The most items of all groups that wait or are under way; one more is refused as `Unavailable`. */
  readonly maxPending: number
  /** For how long a round holds up the next one; 50 unless told. */
  readonly longestHold_ms?: number
}

/**
 * Answers how to write an item. An item whose caller is interrupted is withdrawn if its batch was not begun; otherwise it
 * stays in its batch, and nobody hears what became of it.
 *
 * If a batch fails, so does all of its group that waits behind it: it would only wait for the same. When the scope
 * closes, what is pending is still written.
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

interface Group<Item, Answer, Failure> {
  readonly name: string
  /** What is not in a batch yet. */
  readonly waiting: Array<Pending<Item, Answer, Failure>>
}

/** A part of a round. */
interface Batch<Item, Answer, Failure> {
  readonly group: Group<Item, Answer, Failure>
  readonly items: ReadonlyArray<Pending<Item, Answer, Failure>>
}

type Ended<Answer, Failure> = Exit.Exit<BatchOutcome<Answer, Failure>, Unavailable>

class GroupWriter<Item, Answer, Failure> {
  private readonly options: GroupCommitOptions<Item, Answer, Failure>
  private readonly run: (effect: Effect.Effect<void>) => Fiber.Fiber<void>
  /** Those of which something waits or is under way. */
  private readonly groups = new Map<string, Group<Item, Answer, Failure>>()
  /** Those of which something waits and nothing is under way, whichever began to wait first in front. */
  private readonly ready = new Set<Group<Item, Answer, Failure>>()
  private readonly underWay = new Set<Fiber.Fiber<void>>()
  /** Whether a round is about to begin, or has just begun. */
  private isHeld = false
  private pending = 0

  constructor(
    options: GroupCommitOptions<Item, Answer, Failure>,
    run: (effect: Effect.Effect<void>) => Fiber.Fiber<void>
  ) {
    this.options = options
    this.run = run
  }

  /** Waits for all that is pending: what is under way begins what waits behind it. */
  readonly finish: Effect.Effect<void> = Effect.suspend(() =>
    this.underWay.size === 0 ? Effect.void : Effect.andThen(Fiber.awaitAll(this.underWay), this.finish)
  )

  write(item: Item): Effect.Effect<Answer, Failure | Unavailable> {
    return Effect.callback((resume) => {
      if (this.pending >= this.options.maxPending) return resume(Effect.fail(databaseAway))
      const pending: Pending<Item, Answer, Failure> = { item, resume, withdrawn: false }
      this.pending++
      this.add(this.options.groupOf(item), pending)
      return Effect.sync(() => {
        pending.withdrawn = true
      })
    })
  }

  private add(name: string, pending: Pending<Item, Answer, Failure>): void {
    const known = this.groups.get(name)
    if (known !== undefined) {
      known.waiting.push(pending)
      return
    }
    const group = { name, waiting: [pending] }
    this.groups.set(name, group)
    this.ready.add(group)
    this.begin()
  }

  /** Begins a round, if there is one to begin. What comes in one turn of the event loop goes into it as well. */
  private begin(): void {
    if (this.isHeld || this.ready.size === 0) return
    this.isHeld = true
    this.fork(
      Effect.andThen(
        Effect.yieldNow,
        Effect.suspend(() => this.writeRound())
      )
    )
  }

  /** Nobody interrupts this fiber, so whoever waits is always answered. */
  private fork(effect: Effect.Effect<void>): void {
    const fiber = this.run(effect)
    this.underWay.add(fiber)
    fiber.addObserver(() => this.underWay.delete(fiber))
  }

  private writeRound(): Effect.Effect<void> {
    const letNextBegin = this.hold()
    const batches = this.takeBatches()
    return batches.length === 0 ? Effect.sync(letNextBegin) : Effect.map(this.commit(batches), letNextBegin)
  }

  private commit(batches: ReadonlyArray<Batch<Item, Answer, Failure>>): Effect.Effect<void> {
    const start_ms = performance.now()
    // One that throws must not end this fiber: whoever came later would wait for ever.
    const committed = Effect.suspend(() =>
      this.options.commit(batches.map(({ items }) => items.map(({ item }) => item)))
    )
    return Effect.map(Effect.exit(committed), (exit) => {
      for (const [i, batch] of batches.entries()) {
        const outcome = Exit.isSuccess(exit) ? (exit.value[i] ?? unanswered) : Exit.failCause(exit.cause)
        if (Exit.isExit(outcome)) this.end(batch, outcome as Ended<Answer, Failure>, start_ms)
        else this.fork(Effect.map(Effect.exit(outcome), (exit) => this.end(batch, exit, start_ms)))
      }
    })
  }

  /** Makes the next round wait for this one, but not for long. Answers what is to be called when this one is over. */
  private hold(): () => void {
    const letNextBegin = (): void => {
      clearTimeout(late)
      if (!isHolding) return
      isHolding = false
      this.isHeld = false
      this.begin()
    }
    let isHolding = true
    const late = setTimeout(letNextBegin, this.options.longestHold_ms ?? longestHold_ms)
    return letNextBegin
  }

  private takeBatches(): ReadonlyArray<Batch<Item, Answer, Failure>> {
    const batches: Array<Batch<Item, Answer, Failure>> = []
    let room = this.options.maxBatch
    for (const group of this.ready) {
      if (room === 0) break
      const items = this.take(group, room)
      room -= items.length
      this.ready.delete(group)
      if (items.length > 0) batches.push({ group, items })
      else this.release(group)
    }
    return batches
  }

  /** Takes the first that wait, but for those who left. */
  private take({ waiting }: Group<Item, Answer, Failure>, room: number): Batch<Item, Answer, Failure>["items"] {
    const taken = waiting.splice(0, room)
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

  /** Nothing of the group is under way any more. */
  private release(group: Group<Item, Answer, Failure>): void {
    if (group.waiting.length === 0) this.groups.delete(group.name)
    else if (group.waiting.length >= roundOfItsOwn) this.writeAlone(group)
    else {
      this.ready.add(group)
      this.begin()
    }
  }

  private writeAlone(group: Group<Item, Answer, Failure>): void {
    const items = this.take(group, this.options.maxBatch)
    if (items.length === 0) this.release(group)
    else this.fork(this.commit([{ group, items }]))
  }
}

/**
 * A group of which so many wait goes by itself: they share a round trip already, and others would wait for all of them.
 */
const roundOfItsOwn = 50

/**
 * A round that takes longer stands before a database that is slow, or on a connection that has gone silent, which is no
 * reason for others to wait.
 */
const longestHold_ms = 50

/**
 * Those who were just answered come back while the next batch is under way, if that begins at once: then half of all wait
 * for the other half. A pause that is short beside a commit lets them join. Commits that are quick need none.
 */
const pauseAfter_ms = (commit_ms: number): number => Math.min(commit_ms / 8, longestPause_ms)

const longestPause_ms = 5

const unanswered = Exit.die(new Error("a batch was answered with fewer answers than it has items"))
