import { compareDirectories } from "@postcode/gateway/directory/imports/compareDirectories"
import fc from "fast-check"
import { expect, it } from "vitest"
import { directoryOf, type TestUnit, testCode } from "../../../../core/test/directory/BuiltDirectory.ts"

/** Few codes and places, so that two editions have much in common. */
const editions = fc
  .array(
    fc.tuple(
      fc.nat({ max: 60 }),
      fc.record({ lat_e7: fc.nat({ max: 1 }), lon_e7: fc.nat({ max: 1 }), active: fc.boolean() })
    ),
    { maxLength: 60 }
  )
  .map((units) => new Map<number, TestUnit>(units.map(([unit, state]) => [testCode(unit), state])))

const countOf = (before: ReadonlyMap<number, TestUnit>, after: ReadonlyMap<number, TestUnit>) => {
  const codes = [...new Set([...before.keys(), ...after.keys()])]
  const kinds = codes.map((code) => {
    const [old, now] = [before.get(code), after.get(code)]
    if (old === undefined || now === undefined) return old === undefined ? "added" : "removed"
    if (old.active !== now.active) return now.active ? "reactivated" : "retired"
    return old.lat_e7 === now.lat_e7 && old.lon_e7 === now.lon_e7 ? "unchanged" : "moved"
  })
  const count = (kind: string) => kinds.filter((found) => found === kind).length
  return {
    added: count("added"),
    removed: count("removed"),
    retired: count("retired"),
    reactivated: count("reactivated"),
    moved: count("moved"),
    unchanged: count("unchanged")
  }
}

it("counts each unit once by its change between two editions", () => {
  fc.assert(
    fc.property(editions, editions, (before, after) => {
      expect(compareDirectories(directoryOf(before), directoryOf(after)).difference).toEqual(countOf(before, after))
    }),
    { seed: 12, numRuns: 300 }
  )
})
