import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { environments, openingCredits } from "../../src/credits/Credits.ts"
import {
  assertPriceList,
  defaultPriceList,
  lookupPrice,
  type PriceList,
  resultPrice
} from "../../src/credits/Prices.ts"
import { IdempotencyKeyReused, InsufficientCredits } from "../../src/Errors.ts"
import { accessLevels, type minimumLevel, shows } from "../../src/levels/AccessLevel.ts"

describe("Credits", () => {
  it("level 1 is free, levels 2 to 4 cost 1 to 3, level 5 as much as level 4, a widget session and an address search 1", () => {
    assert.deepStrictEqual(
      accessLevels.map((level) => lookupPrice(defaultPriceList, level)),
      [0, 1, 2, 3, 3]
    )
    assert.strictEqual(defaultPriceList.widget_session, 1)
    assert.strictEqual(defaultPriceList.address_search, 1)
  })

  it("level 1 is free, even if a price list has a price for it", () => {
    const withLevel1 = { ...defaultPriceList, lookup: { ...defaultPriceList.lookup, 1: 7 } }
    assert.strictEqual(lookupPrice(withLevel1, 1), 0)
  })

  it("prices are whole numbers from 0 on, and the first invalid one is named", () => {
    assertPriceList(defaultPriceList)
    assertPriceList({ lookup: { 2: 0, 3: 0, 4: 0, 5: 1_000_000 }, widget_session: 0, address_search: 0 })
    for (const price of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "1", undefined]) {
      for (const level of [2, 3, 4, 5]) {
        const prices = { ...defaultPriceList, lookup: { ...defaultPriceList.lookup, [level]: price } } as PriceList
        assert.throws(() => assertPriceList(prices), RangeError, `lookup[${level}]: expected whole credits, 0 or more`)
      }
      for (const entry of ["widget_session", "address_search"]) {
        const prices = { ...defaultPriceList, [entry]: price } as PriceList
        assert.throws(() => assertPriceList(prices), RangeError, `${entry}: expected whole credits`)
      }
    }
  })

  it("a level that costs less than a lower one is refused with both prices", () => {
    const lists = [
      [{ 2: 1, 3: 2, 4: 3, 5: 0 }, "level 5 costs 0 and level 4 costs 3"],
      [{ 2: 1, 3: 2, 4: 3, 5: 2 }, "level 5 costs 2 and level 4 costs 3"],
      [{ 2: 2, 3: 1, 4: 3, 5: 3 }, "level 3 costs 1 and level 2 costs 2"],
      [{ 2: 1, 3: 9, 4: 3, 5: 9 }, "level 4 costs 3 and level 3 costs 9"]
    ] as const
    for (const [lookup, named] of lists) {
      assert.throws(() => assertPriceList({ ...defaultPriceList, lookup }), RangeError, named)
    }
    assertPriceList({ ...defaultPriceList, lookup: { 2: 5, 3: 5, 4: 5, 5: 5 } })
  })

  const known = <S extends Schema.Top>(value: S) => Schema.optionalKey(value)
  const text = known(Schema.NonEmptyString)
  /** What may be known of a unit, in the form of an answer. */
  const Known = Schema.Struct({
    administrative_address: Schema.Struct({ state_name: text, lga_name: text, locality_name: text, zone: text }),
    recent_house_address: Schema.Struct({ recent: text }),
    building_use_status: text,
    other_building_info: Schema.Struct({ type: text, owner: text, delivery_point: known(Schema.Boolean) }),
    point_geometry: known(Schema.Struct({ lat: Schema.Finite, lon: Schema.Finite }))
  })
  const step = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 }))

  it.prop(
    "a result costs at most the price of its level, at least as much as at lower levels, and nothing only if it shows nothing",
    [Known, Schema.Tuple([step, step, step, step])],
    ([known, [first, second, third, fourth]]) => {
      const lookup = {
        2: 1 + first,
        3: 1 + first + second,
        4: 1 + first + second + third,
        5: 1 + first + second + third + fourth
      }
      const prices: PriceList = { ...defaultPriceList, lookup }
      assertPriceList(prices)
      let below = 0
      for (const level of accessLevels) {
        const shown = Object.entries(known).filter(([name]) => shows(level, name as keyof typeof minimumLevel))
        const price = resultPrice(prices, { valid: true, ...Object.fromEntries(shown) })
        assert.isAtMost(price, lookupPrice(prices, level), `level ${level}`)
        assert.isAtLeast(price, below, `level ${level}`)
        const isEmpty = shown.every(([, value]) => typeof value === "object" && Object.keys(value).length === 0)
        assert.strictEqual(price === 0, isEmpty, `level ${level}`)
        below = price
      }
    },
    { arbitrary: { runs: 500, seed: 20261123 } }
  )

  it("an organization starts with 1,000 test credits and no live ones", () => {
    assert.deepStrictEqual(openingCredits, { test: 1_000, live: 0 })
    assert.sameMembers([...environments], Object.keys(openingCredits))
  })

  it("the messages about credits name the remedy", () => {
    const message = new InsufficientCredits({ required: 3, balance: 2 }).message
    assert.strictEqual(message, "this request costs 3 credits and the balance is 2: nothing was charged")
    const hidden = new InsufficientCredits({ required: 3, balance: undefined }).message
    assert.strictEqual(hidden, "the account has too few credits for this request: nothing was charged")
    assert.include(new IdempotencyKeyReused().message, "use a new one")
  })
})
