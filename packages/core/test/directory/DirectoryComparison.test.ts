import type { Directory } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import { compareDirectories } from "@postcode/core/DirectoryComparison"
import { packSegments } from "@postcode/core/PackedCode"
import fc from "fast-check"
import { expect, it } from "vitest"
import { directoryFrom } from "./BuiltDirectory.ts"

interface Unit {
  readonly lat_e7: number
  readonly lon_e7: number
  readonly active: boolean
}

/** Few codes and places, so that two editions have much in common. */
const editions = fc
  .array(
    fc.tuple(
      fc.nat({ max: 60 }),
      fc.record({ lat_e7: fc.nat({ max: 1 }), lon_e7: fc.nat({ max: 1 }), active: fc.boolean() })
    ),
    { maxLength: 60 }
  )
  .map(
    (units) => new Map<number, Unit>(units.map(([unit, state]) => [packSegments(286, 12, unit % 7, 3, unit), state]))
  )

const build = (units: ReadonlyMap<number, Unit>): Directory => {
  const builder = new DirectoryBuilder()
  for (const [code, { active, lat_e7, lon_e7 }] of units) builder.addPackedUnit(code, lat_e7, lon_e7, active)
  return directoryFrom(builder)
}

const countOf = (before: ReadonlyMap<number, Unit>, after: ReadonlyMap<number, Unit>) => {
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
      expect(compareDirectories(build(before), build(after)).difference).toEqual(countOf(before, after))
    }),
    { seed: 12, numRuns: 300 }
  )
})
