import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { exitOf, flatMapExitEager } from "../../src/pipeline/EagerExit.ts"

const fault = new Error("a fault")
const throwing = () => {
  throw fault
}

describe("exitOf", () => {
  it("returns the exit of a completed effect, and nothing for a pending one", () => {
    assert.deepStrictEqual(exitOf(Effect.succeed(1)), Exit.succeed(1))
    assert.deepStrictEqual(exitOf(Effect.fail("gone")), Exit.fail("gone"))
    assert.isUndefined(exitOf(Effect.as(Effect.yieldNow, 1)))
  })
})

describe("flatMapExitEager", () => {
  const seen = (start: () => Effect.Effect<number, string>) => flatMapExitEager(start, (exit) => Effect.succeed(exit))

  it("continues synchronously after every available outcome, also if it throws", () => {
    assert.deepStrictEqual(exitOf(seen(() => Effect.succeed(1))), Exit.succeed(Exit.succeed(1)))
    assert.deepStrictEqual(exitOf(seen(() => Effect.fail("gone"))), Exit.succeed(Exit.fail("gone")))
    assert.deepStrictEqual(exitOf(seen(throwing)), Exit.succeed(Exit.die(fault)))
  })

  it.effect("continues after every later outcome", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* seen(() => Effect.as(Effect.yieldNow, 1)), Exit.succeed(1))
      assert.deepStrictEqual(yield* seen(() => Effect.flatMap(Effect.yieldNow, throwing)), Exit.die(fault))
    })
  )
})
