/** Conformance suite of the port `CurrentDirectory`. */
import { assert, layer } from "@effect/vitest"
import type { DirectoryWarning } from "@postcode/core/Csv"
import type { Directory, UnitStatus } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import { CurrentDirectory } from "@postcode/gateway/directory/CurrentDirectory"
import { Effect, type Layer } from "effect"

/** Postcodes, their status in the adapter's directory, and their successors. */
export type DirectorySample = ReadonlyArray<readonly [Postcode, UnitStatus, replaced_by?: Postcode]>

/** What an adapter's directory has. */
export interface ExpectedDirectory {
  readonly units: DirectorySample
  /** What a look at its files found. */
  readonly warnings: ReadonlyArray<DirectoryWarning>
}

/** A change of the adapter's directory, and the status of the same postcodes after it. */
export interface DirectoryChange {
  readonly apply: Effect.Effect<void>
  readonly after: ExpectedDirectory
}

/**
 * Registers the tests of the port `CurrentDirectory`.
 *
 * @param change only for adapters whose directory can change
 */
export const currentDirectorySuite = <E>(
  name: string,
  adapter: Layer.Layer<CurrentDirectory, E>,
  expected: ExpectedDirectory,
  change?: DirectoryChange
): void =>
  layer(adapter, { excludeTestServices: true })(`CurrentDirectory ${name}`, (it) => {
    it.effect("the current directory knows its units", () =>
      Effect.gen(function* () {
        const directory = (yield* CurrentDirectory).get()
        expectSample(directory, expected.units)
      })
    )

    it.effect("the current directory has the warnings of its edition", () =>
      Effect.gen(function* () {
        const { get, warnings } = yield* CurrentDirectory
        assert.deepStrictEqual(warnings?.(get()), expected.warnings)
      })
    )

    it.effect("while nothing changes, it is the same one each time", () =>
      Effect.gen(function* () {
        const { get } = yield* CurrentDirectory
        const directory = get()
        yield* Effect.yieldNow
        assert.strictEqual(get(), directory)
      })
    )

    if (change === undefined) return

    // Last, because it changes the directory.
    it.effect("a change shows in one step, and an older directory that is still in use stays whole", () =>
      Effect.gen(function* () {
        const { get, warnings } = yield* CurrentDirectory
        const before = get()
        yield* change.apply
        const after = get()
        assert.notStrictEqual(after, before)
        expectSample(after, change.after.units)
        expectSample(before, expected.units)
        assert.deepStrictEqual(warnings?.(after), change.after.warnings)
        assert.strictEqual(get(), after)
      })
    )
  })

const expectSample = (directory: Directory, sample: DirectorySample): void =>
  assert.deepStrictEqual(
    sample.map(([postcode]) => [postcode, directory.status(postcode), directory.replacedBy(postcode)]),
    sample.map(([postcode, status, replaced_by]) => [postcode, status, replaced_by])
  )
