/** Batches, without a database. */
import { assert, describe, it } from "@effect/vitest"
import { failsWith } from "@postcode/conformance"
import { Unavailable } from "@postcode/gateway/Errors"
import { Cause, Deferred, Effect, Exit, Fiber } from "effect"
import { type BatcherOptions, makeBatcher } from "../../src/connection/Batcher.ts"

/** An item is the name of its group, a dash and a number. */
type Options = BatcherOptions<string, string, never>

/** A batcher whose batches run until the test ends them. */
const gathering = Effect.fnUntraced(function* (options: Partial<Options> = {}) {
  const begun: Array<{ readonly batch: ReadonlyArray<string>; readonly end: Deferred.Deferred<void, Unavailable> }> = []
  const write = yield* makeBatcher<string, string, never>({
    groupOf: (item) => item.slice(0, item.indexOf("-")),
    run: (batches) =>
      Effect.succeed(
        batches.map((batch) => {
          const end = Deferred.makeUnsafe<void, Unavailable>()
          begun.push({ batch, end })
          return Effect.as(Deferred.await(end), written(batch))
        })
      ),
    maxBatch: 3,
    maxPending: 100,
    ...options
  })
  const start = starting(write, () => begun.length)
  const end = (batch: number, exit: Exit.Exit<void, Unavailable> = Exit.void) =>
    Effect.sync(() => {
      const deferred = begun[batch]?.end
      if (deferred !== undefined) Deferred.doneUnsafe(deferred, exit)
    })
  return { write, start, end, batches: () => begun.map(({ batch }) => batch) }
})

/** Writes items, and waits until this number of batches or commits has started. */
const starting = (write: Effect.Success<ReturnType<typeof makeBatcher<string, string, never>>>, begun: () => number) =>
  Effect.fnUntraced(function* (items: ReadonlyArray<string>, count: number) {
    const fibers = yield* Effect.forEach(items, (item) => Effect.forkChild(write(item), { startImmediately: true }))
    yield* waitFor(() => begun() === count)
    return fibers
  })

const written = (batch: ReadonlyArray<string>) => batch.map((item) => Exit.succeed(`${item} written`))

const waitFor = (holds: () => boolean) =>
  Effect.gen(function* () {
    for (let turn = 0; !holds(); turn++) {
      if (turn === 10_000) throw new Error("what was waited for did not happen")
      yield* Effect.sleep(1)
    }
  })

describe("a batcher", () => {
  it.live("writes concurrent items together in order, and collects the next batch meanwhile", () =>
    Effect.gen(function* () {
      const { batches, end, start } = yield* gathering()
      const first = yield* start(["a-1", "a-2"], 1)
      const second = yield* start(["a-3", "a-4", "a-5", "a-6"], 1)
      assert.deepStrictEqual(batches(), [["a-1", "a-2"]])
      yield* end(0)
      assert.deepStrictEqual(yield* Fiber.joinAll(first), ["a-1 written", "a-2 written"])
      yield* waitFor(() => batches().length === 2)
      assert.deepStrictEqual(batches()[1], ["a-3", "a-4", "a-5"])
      yield* end(1)
      yield* waitFor(() => batches().length === 3)
      assert.deepStrictEqual(batches()[2], ["a-6"])
      yield* end(2)
      assert.deepStrictEqual(
        yield* Fiber.joinAll(second),
        ["a-3", "a-4", "a-5", "a-6"].map((item) => `${item} written`)
      )
      yield* start(["a-7"], 4)
      yield* end(3)
    }).pipe(Effect.scoped)
  )

  it.live("separates groups: a slow one does not delay others", () =>
    Effect.gen(function* () {
      const { batches, end, start } = yield* gathering()
      const fibers = yield* start(["a-1", "b-1", "a-2"], 2)
      assert.deepStrictEqual(batches(), [["a-1", "a-2"], ["b-1"]])
      yield* end(1)
      assert.strictEqual(yield* Fiber.join(fibers[1] as (typeof fibers)[0]), "b-1 written")
      yield* end(0)
    }).pipe(Effect.scoped)
  )

  it.live("refuses items above the maximum of all groups together, until there is capacity again", () =>
    Effect.gen(function* () {
      const { end, start, write } = yield* gathering({ maxPending: 4 })
      yield* start(["a-1", "a-2", "b-1", "a-3"], 2)
      yield* failsWith(write("b-2"), "Unavailable")
      yield* end(1)
      yield* Effect.yieldNow
      const fibers = yield* start(["b-3"], 3)
      yield* failsWith(write("b-4"), "Unavailable")
      yield* end(0)
      yield* end(2)
      yield* Fiber.joinAll(fibers)
      yield* start(["c-1"], 4)
      yield* end(3)
    }).pipe(Effect.scoped)
  )

  it.live("withdraws interrupted items whose batch has not started, and releases their capacity", () =>
    Effect.gen(function* () {
      const { batches, end, start } = yield* gathering({ maxPending: 4 })
      const first = yield* start(["a-1"], 1)
      const [gone, stays] = yield* start(["a-2", "a-3"], 1)
      yield* Fiber.interruptAll([...first, gone as Fiber.Fiber<string>])
      yield* end(0)
      yield* waitFor(() => batches().length === 2)
      assert.deepStrictEqual(batches()[1], ["a-3"])
      yield* end(1)
      assert.strictEqual(yield* Fiber.join(stays as Fiber.Fiber<string>), "a-3 written")
      yield* start(["d-1", "d-2", "d-3", "d-4"], 3)
      yield* end(2)
      yield* waitFor(() => batches().length === 4)
      yield* end(3)
    }).pipe(Effect.scoped)
  )

  it.live("fails the items that wait behind a failed batch, and writes later ones", () =>
    Effect.gen(function* () {
      const { end, start } = yield* gathering()
      const fibers = yield* start(["a-1", "a-2", "a-3", "a-4", "a-5"], 1)
      yield* end(0, Exit.fail(new Unavailable({ retry_after_s: 1 })))
      for (const fiber of fibers) yield* failsWith(Fiber.join(fiber), "Unavailable")
      const later = yield* start(["a-6"], 2)
      yield* end(1)
      assert.deepStrictEqual(yield* Fiber.joinAll(later), ["a-6 written"])
    }).pipe(Effect.scoped)
  )

  it.live("fails a batch whose run throws, and writes later ones", () =>
    Effect.gen(function* () {
      let calls = 0
      const write = yield* makeBatcher<string, string, never>({
        groupOf: () => "a",
        run: (batches) => {
          if (calls++ === 0) throw new Error("a fault of the program")
          return Effect.succeed(batches.map((batch) => Exit.succeed(batch.map((item) => Exit.succeed(item)))))
        },
        maxBatch: 3,
        maxPending: 3
      })
      const { cause } = (yield* Effect.exit(write("lost"))) as Exit.Failure<string, Unavailable>
      assert.include(Cause.pretty(cause), "a fault of the program")
      assert.strictEqual(yield* write("a-2"), "a-2")
    }).pipe(Effect.scoped)
  )

  it.live("pauses after a long batch of several items, so that clients that it answered join the next one", () =>
    Effect.gen(function* () {
      const second = Effect.gen(function* () {
        const { batches, end, start } = yield* gathering({ maxBatch: 100 })
        const first = yield* start(["a-1", "a-2"], 1)
        yield* start(["a-3"], 1)
        yield* Effect.sleep(50)
        yield* end(0)
        yield* Fiber.joinAll(first)
        yield* start(["a-4", "a-5"], 2)
        yield* end(1)
        const written = batches()[1] ?? []
        if (written.length === 1)
          yield* Effect.andThen(
            waitFor(() => batches().length === 3),
            end(2)
          )
        return written
      }).pipe(Effect.scoped)
      // A busy machine may exceed the pause of some milliseconds, but without a pause this would fail every time.
      const written = yield* Effect.repeat(second, { until: ({ length }) => length > 1, times: 9 })
      assert.deepStrictEqual(written, ["a-3", "a-4", "a-5"])
    })
  )

  it.live("writes pending items when its scope closes", () =>
    Effect.gen(function* () {
      let written = 0
      const scoped = Effect.gen(function* () {
        const write = yield* makeBatcher<string, void, never>({
          groupOf: () => "a",
          run: (batches) =>
            Effect.sync(() => {
              written += batches.flat().length
              return batches.map((batch) => Exit.succeed(batch.map(() => Exit.void)))
            }).pipe(Effect.delay(20)),
          maxBatch: 2,
          maxPending: 100
        })
        for (let i = 0; i < 5; i++) yield* Effect.forkDetach(write(`${i}`), { startImmediately: true })
      })
      yield* Effect.scoped(scoped)
      assert.strictEqual(written, 5)
    })
  )
})

describe("the runs of a batcher", () => {
  it.live("contain the batches of all ready groups, and collect the next batches meanwhile", () =>
    Effect.gen(function* () {
      const { endRound, rounds, start } = yield* inRounds()
      const first = yield* start(["a-1", "b-1", "b-2"], 1)
      const second = yield* start(["c-1", "a-2"], 1)
      assert.deepStrictEqual(rounds(), [[["a-1"], ["b-1", "b-2"]]])
      yield* endRound(0)
      assert.deepStrictEqual(yield* Fiber.joinAll(first), ["a-1 written", "b-1 written", "b-2 written"])
      yield* waitFor(() => rounds().length === 2)
      assert.sameDeepMembers([...(rounds()[1] ?? [])], [["c-1"], ["a-2"]])
      yield* endRound(1)
      assert.deepStrictEqual(yield* Fiber.joinAll(second), ["c-1 written", "a-2 written"])
    }).pipe(Effect.scoped)
  )

  it.live("contain at most the maximum number of items, of any groups, in FIFO order", () =>
    Effect.gen(function* () {
      const { endRound, rounds, start } = yield* inRounds()
      yield* start(["a-1", "a-2", "b-1", "b-2", "c-1"], 1)
      assert.deepStrictEqual(rounds()[0], [["a-1", "a-2"], ["b-1"]])
      yield* endRound(0)
      yield* waitFor(() => rounds().length === 2)
      assert.sameDeepMembers([...(rounds()[1] ?? [])], [["c-1"], ["b-2"]])
      yield* endRound(1)
    }).pipe(Effect.scoped)
  )

  it.live("end before a group with slower work: others continue, and only the items of that group wait", () =>
    Effect.gen(function* () {
      const slow = Deferred.makeUnsafe<void, Unavailable>()
      const { endRound, rounds, start } = yield* inRounds({}, (batch) =>
        batch[0] === "a-1" ? Effect.as(Deferred.await(slow), written(batch)) : Exit.succeed(written(batch))
      )
      const [alone, other] = yield* start(["a-1", "b-1"], 1)
      yield* endRound(0)
      assert.strictEqual(yield* Fiber.join(other as Fiber.Fiber<string>), "b-1 written")
      const [behind] = yield* start(["a-2", "b-2"], 2)
      assert.deepStrictEqual(rounds()[1], [["b-2"]])
      yield* endRound(1)
      Deferred.doneUnsafe(slow, Exit.void)
      assert.strictEqual(yield* Fiber.join(alone as Fiber.Fiber<string>), "a-1 written")
      yield* waitFor(() => rounds().length === 3)
      assert.deepStrictEqual(rounds()[2], [["a-2"]])
      yield* endRound(2)
      assert.strictEqual(yield* Fiber.join(behind as Fiber.Fiber<string>), "a-2 written")
    }).pipe(Effect.scoped)
  )

  it.live("exclude a group with many waiting items, which is committed separately and delays no other group", () =>
    Effect.gen(function* () {
      const { endRound, rounds, start } = yield* inRounds({ maxBatch: 100 })
      yield* start(["a-0"], 1)
      yield* start([...many, "b-1"], 1)
      yield* endRound(0)
      yield* waitFor(() => rounds().length === 3)
      assert.sameDeepMembers(rounds().slice(1), [[["b-1"]], [many]])
      yield* endRound(1)
      yield* endRound(2)
    }).pipe(Effect.scoped)
  )

  it.live("exclude withdrawn items", () =>
    Effect.gen(function* () {
      const { endRound, rounds, start } = yield* inRounds()
      yield* start(["a-0"], 1)
      yield* Fiber.interruptAll(yield* start(many, 1))
      yield* endRound(0)
      yield* start(["a-1"], 2)
      assert.deepStrictEqual(rounds()[1], [["a-1"]])
      yield* endRound(1)
    }).pipe(Effect.scoped)
  )

  it.live("no longer wait for a late run, but its groups do", () =>
    Effect.gen(function* () {
      const { endRound, rounds, start } = yield* inRounds({ maxDelay_ms: 1 })
      const fibers = yield* start(["a-1"], 1)
      yield* start(["b-1", "a-2"], 2)
      assert.deepStrictEqual(rounds(), [[["a-1"]], [["b-1"]]])
      yield* endRound(1)
      yield* endRound(0)
      yield* Fiber.joinAll(fibers)
      yield* waitFor(() => rounds().length === 3)
      assert.deepStrictEqual(rounds()[2], [["a-2"]])
      yield* endRound(2)
    }).pipe(Effect.scoped)
  )
})

/** Enough items of one group for a separate commit. */
const many = Array.from({ length: 50 }, (_, i) => `a-${1 + i}`)

/** A batcher whose commits run until the test ends them, and by default are never late. */
const inRounds = Effect.fnUntraced(function* (
  options: Partial<Options> = {},
  outcomeOf: (batch: ReadonlyArray<string>) => Effect.Effect<ReturnType<typeof written>, Unavailable> = (batch) =>
    Exit.succeed(written(batch))
) {
  const begun: Array<ReadonlyArray<ReadonlyArray<string>>> = []
  const ends: Array<Deferred.Deferred<void>> = []
  const { write } = yield* gathering({
    maxDelay_ms: 1_000_000,
    ...options,
    run: (batches) => {
      const end = Deferred.makeUnsafe<void>()
      ends.push(end)
      begun.push(batches)
      return Effect.as(Deferred.await(end), batches.map(outcomeOf))
    }
  })
  const endRound = (round: number) =>
    Effect.sync(() => Deferred.doneUnsafe(ends[round] as Deferred.Deferred<void>, Exit.void))
  return { start: starting(write, () => begun.length), endRound, rounds: () => begun }
})
