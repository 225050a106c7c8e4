import { assert, describe, it } from "@effect/vitest"
import { Units } from "@postcode/gateway/directory/Units"
import { Unavailable } from "@postcode/gateway/Errors"
import type { ApiKeyRecord, Principal, Scope } from "@postcode/gateway/keys/ApiKey"
import { type FoundUnit, nearby, reverse } from "@postcode/gateway/search/search"
import { Effect, Layer } from "effect"
import { codes, directory, origin } from "../directory/SmallDirectory.ts"
import { customer, ports } from "../Store.ts"

const findNearest = (coordinate: { lat: number; lon: number }, radius_m?: number, principal?: Principal) =>
  Effect.flatMap(reverse, (find) => find({ directory, coordinate, radius_m, principal }))

const findNearby = (radius_m?: number, limit = 20, principal?: Principal, coordinate = origin) =>
  Effect.flatMap(nearby, (find) => find({ directory, coordinate, radius_m, principal, limit }))

const withoutUnits = Layer.merge(
  ports,
  Layer.succeed(Units, { attributes: () => Effect.fail(new Unavailable({ retry_after_s: 1 })) })
)

/** About so many metres to the north of the origin. */
const metresNorth = (metres: number) => ({ lat: origin.lat + metres / 110_600, lon: origin.lon })

const postcodes = (units: ReadonlyArray<FoundUnit>) => units.map(({ postcode }) => postcode)

describe("reverse", () => {
  it.effect("finds the nearest active unit with its distance", () =>
    Effect.gen(function* () {
      const result: unknown = yield* findNearest(origin)
      assert.deepStrictEqual(result, {
        found: true,
        coordinate: origin,
        unit: { postcode: codes.whole, display: "LA 12 A03 BG 07", distance_m: 0, confidence: "high", limited_to: 1 },
        area: "LA-12-A03-BG",
        district: "LA-12-A03",
        state: "LA",
        depth: "unit",
        message: "the nearest active unit is 0 m away",
        radius_m: 25
      })
    }).pipe(Effect.provide(ports))
  )

  it.effect("ignores retired units, and returns the distance to 0.1 m", () =>
    Effect.gen(function* () {
      const result = yield* findNearest(metresNorth(11))
      assert.isTrue(result.found)
      if (!result.found) return
      assert.isTrue([codes.whole, codes.bare].includes(result.unit.postcode))
      assert.approximately(result.unit.distance_m, 11, 0.2)
      assert.strictEqual(result.unit.distance_m, Math.round(result.unit.distance_m * 10) / 10)
      assert.strictEqual(result.unit.confidence, "medium")
      assert.include(result.message, `${result.unit.distance_m} m`)
    }).pipe(Effect.provide(ports))
  )

  it.effect("finds the smaller postcode of several units at one point", () =>
    Effect.gen(function* () {
      const result = yield* findNearest(metresNorth(30))
      assert.propertyVal(result.found ? result.unit : undefined, "postcode", codes.bare)
    }).pipe(Effect.provide(ports))
  )

  it.effect("has exactly four fields if nothing was found", () =>
    Effect.gen(function* () {
      const coordinate = metresNorth(400)
      assert.deepStrictEqual(yield* findNearest(coordinate), {
        found: false,
        coordinate,
        message: "no active unit lies within 25 m",
        radius_m: 25
      })
    }).pipe(Effect.provide(ports))
  )

  it.effect("the radius is 25 m by default and 250 m at most; 0 finds what is on the point", () =>
    Effect.gen(function* () {
      for (const [metres, radius_m, applied_m, found] of [
        [46, undefined, 25, true],
        [48, undefined, 25, false],
        [200, 250, 250, true],
        [260, 250, 250, true],
        [280, 250, 250, false],
        [280, 9_999, 250, false],
        [0, 0, 0, true],
        [1, 0, 0, false]
      ] as const) {
        const result = yield* findNearest(metresNorth(metres), radius_m)
        assert.deepInclude(result, { found, radius_m: applied_m }, `${metres} m away, radius ${radius_m}`)
      }
    }).pipe(Effect.provide(ports))
  )

  it.effect("works without a key while the store is unavailable", () =>
    Effect.gen(function* () {
      assert.isTrue((yield* findNearest(origin)).found)
      assert.isFalse((yield* findNearest(metresNorth(400))).found)
    }).pipe(Effect.provide(withoutUnits))
  )
})

describe("names in search results", () => {
  const names = { state_name: "Lagos", lga_name: "Ikeja", locality_name: "Ọjọ́dù", address: "4 Ògúnnúsì Road, “Flat 2”" }

  const cases: ReadonlyArray<
    readonly [grant: 1 | 2 | 5, maximum: 1 | 2 | 5, scopes: ReadonlyArray<Scope>, seen: boolean]
  > = [
    [2, 2, ["search"], true],
    [5, 5, ["search", "lookup"], true],
    [5, 1, ["search"], false],
    [1, 5, ["search"], false],
    [5, 5, ["lookup"], false],
    [5, 5, [], false]
  ]

  it.effect.each(cases)(
    "with grant %i, maximum %i and scopes %j are shown: %s",
    ([granted_level, max_level, scopes, seen]) =>
      Effect.gen(function* () {
        const key: Partial<ApiKeyRecord> = { max_level, scopes }
        const { balance, principal } = yield* customer({ organization: { granted_level }, key }, 10)
        const found = yield* findNearest(origin, 25, yield* principal)
        const around = yield* findNearby(300, 1, yield* principal)
        const bare = { postcode: codes.whole, display: "LA 12 A03 BG 07", distance_m: 0, confidence: "high" } as const
        for (const unit of [found.found ? found.unit : undefined, around[0]]) {
          assert.deepStrictEqual(unit, seen ? { ...bare, ...names } : { ...bare, limited_to: 1 })
        }
        assert.strictEqual(yield* balance, 10, "search is free")
      }).pipe(Effect.provide(ports))
  )

  it.effect("unknown names are omitted", () =>
    Effect.gen(function* () {
      const { principal } = yield* customer()
      const units = yield* findNearby(2_000, 20, yield* principal)
      const shown = new Map(units.map(({ confidence, display, distance_m, postcode, ...rest }) => [postcode, rest]))
      assert.deepStrictEqual(shown.get(codes.partly), {
        state_name: "Lagos",
        lga_name: "Ikeja",
        locality_name: "Ikeja GRA"
      })
      assert.deepStrictEqual(shown.get(codes.bare), { state_name: "Lagos", lga_name: "Ikeja" })
      const north = yield* findNearby(2_000, 20, yield* principal, { lat: 12, lon: 8.5 })
      assert.deepStrictEqual(north, [
        { postcode: codes.unnamedState, display: "XX 01 X1Y ZZ 00", distance_m: 0, confidence: "high" }
      ])
    }).pipe(Effect.provide(ports))
  )

  it.effect("are limited to those of the directory while the store is unavailable", () =>
    Effect.gen(function* () {
      const { principal } = yield* customer()
      const names = { state_name: "Lagos", lga_name: "Ikeja" }
      const nearest = yield* findNearest(origin, 25, yield* principal)
      const near = yield* findNearby(300, 20, yield* principal)
      for (const unit of [...(nearest.found ? [nearest.unit] : []), ...near]) {
        assert.deepInclude(unit, names)
        assert.notProperty(unit, "locality_name")
        assert.notProperty(unit, "address")
      }
      assert.isTrue(nearest.found)
      assert.isNotEmpty(near)
      const nothing = yield* findNearby(300, 20, yield* principal, { lat: 0, lon: 0 })
      assert.deepStrictEqual(nothing, [])
    }).pipe(Effect.provide(withoutUnits))
  )
})

describe("nearby", () => {
  it.effect("finds active units, the nearest first, equally near ones by postcode", () =>
    Effect.gen(function* () {
      const result = yield* findNearby(2_000)
      assert.deepStrictEqual(postcodes(result), [codes.whole, codes.bare, codes.partly, codes.far])
      assert.deepStrictEqual(
        result.map(({ confidence }) => confidence),
        ["high", "medium", "medium", "low"]
      )
    }).pipe(Effect.provide(ports))
  )

  it.effect("the limit keeps the nearest", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(postcodes(yield* findNearby(2_000, 2)), [codes.whole, codes.bare])
    }).pipe(Effect.provide(ports))
  )

  it.effect("the radius is 300 m by default and 2,000 m at most", () =>
    Effect.gen(function* () {
      for (const [radius_m, count] of [
        [undefined, 3],
        [0, 1],
        [23, 3],
        [9_999, 4]
      ] as const) {
        assert.strictEqual((yield* findNearby(radius_m)).length, count)
      }
    }).pipe(Effect.provide(ports))
  )

  it.effect("returns an empty list if no unit is near, also while the store is unavailable", () =>
    Effect.gen(function* () {
      const coordinate = { lat: 0, lon: 0 }
      assert.deepStrictEqual(yield* findNearby(undefined, 20, undefined, coordinate), [])
      assert.strictEqual((yield* findNearby()).length, 3)
    }).pipe(Effect.provide(withoutUnits))
  )
})
