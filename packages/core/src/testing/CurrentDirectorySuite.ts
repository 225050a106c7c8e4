/** What every adapter of the port `CurrentDirectory` must do. */
import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { UnitStatus } from "../Directory.ts"
import type { Postcode } from "../Postcode.ts"
import { CurrentDirectory } from "../ports/CurrentDirectory.ts"

/** Some postcodes and their status in the directory that the adapter is given. */
export type DirectorySample = ReadonlyArray<readonly [Postcode, UnitStatus]>

export const currentDirectorySuite = <E>(
  name: string,
  adapter: Layer.Layer<CurrentDirectory, E>,
  sample: DirectorySample
): void =>
  layer(adapter, { excludeTestServices: true })(`CurrentDirectory ${name}`, (it) => {
    it.effect("the directory in force knows its units", () =>
      Effect.gen(function* () {
        const directory = (yield* CurrentDirectory).get()
        assert.deepStrictEqual(
          sample.map(([postcode]) => [postcode, directory.status(postcode)]),
          [...sample].map(([postcode, status]) => [postcode, status])
        )
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
  })
