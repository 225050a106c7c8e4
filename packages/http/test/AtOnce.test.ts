import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { exitAtOnce, mapAtOnce } from "../src/AtOnce.ts"

const fault = new Error("a fault")
const throwing = () => {
  throw fault
}

describe("mapAtOnce", () => {
  it("answers at once what is there already, and leaves a failure as it is", () => {
    assert.deepStrictEqual(mapAtOnce(Effect.succeed(1), String), Exit.succeed("1"))
    assert.deepStrictEqual(mapAtOnce(Effect.fail("gone"), String), Exit.fail("gone"))
  })

  it.effect("waits for what is not", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* mapAtOnce(Effect.as(Effect.yieldNow, 1), String), "1")
    })
  )
})

describe("exitAtOnce", () => {
  it.effect("goes on with every outcome, what throws included, now or later", () =>
    Effect.gen(function* () {
      const seen = (start: () => Effect.Effect<number, string>) => exitAtOnce(start, (exit) => Effect.succeed(exit))
      assert.deepStrictEqual(yield* seen(() => Effect.succeed(1)), Exit.succeed(1))
      assert.deepStrictEqual(yield* seen(() => Effect.fail("gone")), Exit.fail("gone"))
      assert.deepStrictEqual(yield* seen(throwing), Exit.die(fault))
      assert.deepStrictEqual(yield* seen(() => Effect.as(Effect.yieldNow, 1)), Exit.succeed(1))
      assert.deepStrictEqual(yield* seen(() => Effect.flatMap(Effect.yieldNow, throwing)), Exit.die(fault))
    })
  )
})
