import { assert, describe, it } from "@effect/vitest"
import { defaultPriceList, type PriceList } from "@postcode/core/Prices"
import { Effect, Layer } from "effect"
import { Prices } from "../src/credits/Prices.ts"

describe("Prices", () => {
  it.effect("prices have defaults, which a layer can replace", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* Prices, defaultPriceList)
      const others: PriceList = { ...defaultPriceList, widget_session: 9 }
      assert.strictEqual(yield* Effect.provide(Prices, Layer.succeed(Prices, others)), others)
    })
  )
})
