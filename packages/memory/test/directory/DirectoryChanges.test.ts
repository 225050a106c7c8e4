// Changes of a directory in memory.
import { assert, describe, it } from "@effect/vitest"
import { directoryChangesSuite, failsWith } from "@postcode/conformance"
import { searchAddress } from "@postcode/core/AddressSearch"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import type { PartialPostcode } from "@postcode/core/Postcode"
import { CurrentDirectory } from "@postcode/gateway/directory/CurrentDirectory"
import { DirectoryChanges } from "@postcode/gateway/directory/changes/DirectoryChanges"
import { layerDirectory, layerFixedDirectory } from "@postcode/gateway/directory/layerDirectory"
import { Units } from "@postcode/gateway/directory/Units"
import { Effect } from "effect"
import { attributesOf, codes, directory, origin, read } from "./SmallDirectory.ts"

const attributes = attributesOf.whole

directoryChangesSuite("in memory", layerDirectory(directory, read), [
  { postcode: codes.whole, coordinate: origin, active: true, attributes },
  {
    postcode: codes.retired,
    coordinate: { lat: 6.6019, lon: origin.lon },
    active: false,
    replaced_by: codes.whole,
    attributes
  },
  { postcode: codes.bare, coordinate: { lat: 6.602, lon: origin.lon }, active: true, attributes: {} }
])

const batchOf = (reference: string) => ({
  changes: [
    { change: "retire", postcode: codes.whole, replaced_by: codes.far },
    { change: "set", postcode: codes.far, attributes: { locality_name: "Agidingbi" } }
  ] as const,
  reference,
  reason: "a test",
  actor: "operator",
  at: new Date().toISOString()
})

/** One unit of the small directory, and its address. */
const withAddresses = () => {
  const builder = new DirectoryBuilder({ addresses: true })
  builder.addPlace({ code: "LA" as PartialPostcode, name: "Lagos" })
  builder.addUnit(codes.whole, origin, true, attributesOf.whole)
  const built = builder.build()
  if (!built.ok) throw new Error("one unit came twice")
  return built.directory
}

describe("a directory in memory", () => {
  it.effect("is replaced immediately after each batch, and the previous one stays usable with its attributes", () =>
    Effect.gen(function* () {
      const { get } = yield* CurrentDirectory
      const units = yield* Units
      const before = get()
      yield* (yield* DirectoryChanges).apply(batchOf("batch-1"), false)
      const after = get()
      assert.deepStrictEqual([before.status(codes.whole), after.status(codes.whole)], ["active", "retired"])
      assert.deepStrictEqual([before.changes, after.changes], [0, 2])
      assert.deepStrictEqual(yield* units.attributes([codes.far], before), [attributesOf.far])
      const changed = { ...attributesOf.far, locality_name: "Agidingbi" }
      assert.deepStrictEqual(yield* units.attributes([codes.far], after), [changed])
      assert.deepStrictEqual(yield* units.attributes([codes.far]), [changed])
      const { unit } = yield* (yield* DirectoryChanges).history(codes.far)
      assert.deepStrictEqual(unit?.attributes, changed)
    }).pipe(Effect.provide(layerDirectory(directory, read)))
  )

  it.live("finds the addresses of changes", () =>
    Effect.gen(function* () {
      const { get } = yield* CurrentDirectory
      const attributes = { locality_name: "Ikeja", recent_address: "7 Zungeru Crescent, Ikeja" }
      const changes = [{ change: "set", postcode: codes.whole, attributes }] as const
      const find = (text: string) => searchAddress(get(), text).candidates[0]?.code
      assert.strictEqual(find("4 Ogunnusi Road"), codes.whole)
      yield* (yield* DirectoryChanges).apply({ ...batchOf("batch-1"), changes }, false)
      const isFound = Effect.sync(() => find("7 Zungeru Crescent") === codes.whole)
      yield* Effect.repeat(Effect.andThen(Effect.sleep(20), isFound), { until: (found) => found })
      assert.notStrictEqual(find("4 Ogunnusi Road"), codes.whole)
    }).pipe(Effect.provide(layerDirectory(withAddresses(), read)))
  )

  it.effect("can be read-only: each batch is refused with the reason, and reads are the same", () =>
    Effect.gen(function* () {
      const changes = yield* DirectoryChanges
      const { message } = yield* failsWith(changes.apply(batchOf("batch-1"), false), "Conflict")
      assert.strictEqual(message, "it comes from files")
      yield* failsWith(changes.apply(batchOf("batch-1"), true), "Conflict")
      assert.strictEqual((yield* CurrentDirectory).get(), directory)
      const version = { edition: directory.version, changes: 0 }
      assert.deepStrictEqual(yield* changes.after(version, 10), { changes: [], version, latest: version })
      assert.propertyVal((yield* changes.history(codes.whole)).unit, "active", true)
    }).pipe(Effect.provide(layerFixedDirectory(directory, read, "it comes from files")))
  )
})
