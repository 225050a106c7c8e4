import { judgeRemovals, type Removals } from "@postcode/core/Changes"
import { compareDirectories } from "@postcode/gateway/directory/imports/compareDirectories"
import { RemovalsTally } from "@postcode/gateway/directory/imports/RemovalsTally"
import fc from "fast-check"
import { expect, it } from "vitest"
import { directoryOf, type TestUnit, testCode } from "../../../../core/test/directory/BuiltDirectory.ts"

const removals = (changed: Partial<Removals>): Removals => ({
  removed: 0,
  retired: 0,
  moved: 0,
  active: 1_000,
  left: 1_000,
  ...changed
})

it("removals of more than 1 % of the active units need a permission of at least their number", () => {
  const cases = [
    [removals({}), true, false],
    [removals({ removed: 4, retired: 3, moved: 3 }), true, false],
    [removals({ removed: 4, retired: 4, moved: 3 }), false, true],
    [removals({ moved: 11 }), false, true],
    [removals({ active: 1, left: 0, removed: 1 }), false, true],
    // Nothing is lost of an edition without active units.
    [removals({ active: 0, left: 0 }), true, false]
  ] as const
  for (const [given, isAllowed, isLarge] of cases) expect(judgeRemovals(given)).toMatchObject({ isAllowed, isLarge })
  const large = removals({ removed: 400, retired: 100, left: 500 })
  expect(judgeRemovals(large, 499).isAllowed).toBe(false)
  expect(judgeRemovals(large, 500).isAllowed).toBe(true)
  expect(judgeRemovals(large, "all").isAllowed).toBe(true)
  expect(judgeRemovals(large).description).toBe(
    "remove 400, retire 100 and move 0 (by more than 1 km) of 1,000 active units"
  )
  expect(judgeRemovals(removals({ removed: 1_000, left: 0 })).description).toMatch(/active units, and leave none$/)
})

/** Places around 1 km apart: in the latitude, in the longitude, and in both. */
const editions = fc
  .array(
    fc.tuple(
      fc.nat({ max: 40 }),
      fc.record({
        lat_e7: fc.constantFrom(66_000_000, 66_005_000, 66_079_000, 66_090_000, 66_091_000, 66_120_000),
        lon_e7: fc.constantFrom(33_000_000, 33_005_000, 33_079_000, 33_090_000, 33_091_000, 63_000_000),
        active: fc.boolean()
      })
    ),
    { maxLength: 40 }
  )
  .map((units) => new Map<number, TestUnit>(units.map(([unit, state]) => [testCode(unit), state])))

const stateOf = (unit: TestUnit | undefined) =>
  unit && { active: unit.active, coordinate: { lat: unit.lat_e7 / 1e7, lon: unit.lon_e7 / 1e7 } }

it("the comparison of directories and the count of single units agree, and units can be taken back", () => {
  fc.assert(
    fc.property(editions, editions, (before, after) => {
      const compared = compareDirectories(directoryOf(before), directoryOf(after)).removals
      const tally = new RemovalsTally()
      const back = new RemovalsTally(compared)
      for (const unit of new Set([...before.keys(), ...after.keys()])) {
        tally.add(stateOf(before.get(unit)), stateOf(after.get(unit)))
        back.add(stateOf(before.get(unit)), stateOf(after.get(unit)), -1)
      }
      expect(tally.removals()).toEqual(compared)
      expect(Object.values(back.removals()).every((count) => count === 0)).toBe(true)
    }),
    { seed: 12, numRuns: 300 }
  )
})
