import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { accessLevels } from "../src/AccessLevel.ts"
import { defaultPriceList, environments, openingCredits, type PriceList, Prices } from "../src/Credits.ts"
import { IdempotencyKeyReused, InsufficientCredits } from "../src/Errors.ts"

describe("Credits", () => {
  it("level 1 and level 5 are free, levels 2 to 4 cost 1 to 3, a widget session 1", () => {
    assert.deepStrictEqual(
      accessLevels.map((level) => defaultPriceList.lookup[level]),
      [0, 1, 2, 3, 0]
    )
    assert.strictEqual(defaultPriceList.widget_session, 1)
  })

  it.effect("the default prices hold unless others are given", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* Prices, defaultPriceList)
      const others: PriceList = { ...defaultPriceList, widget_session: 9 }
      assert.strictEqual(yield* Effect.provide(Prices, Layer.succeed(Prices, others)), others)
    })
  )

  it("an organization starts with 1,000 test credits and no live ones", () => {
    assert.deepStrictEqual(openingCredits, { test: 1_000, live: 0 })
    assert.sameMembers([...environments], Object.keys(openingCredits))
  })

  it("the errors about credits say what would be right", () => {
    const message = new InsufficientCredits({ required: 3, balance: 2 }).message
    assert.strictEqual(message, "this request costs 3 credits and the balance is 2: nothing was charged")
    assert.include(new IdempotencyKeyReused().message, "take a new one")
  })
})
