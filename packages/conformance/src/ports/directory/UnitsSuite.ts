/** Conformance suite of the port `Units`. */
import { assert, layer } from "@effect/vitest"
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { Units } from "@postcode/gateway/directory/Units"
import { Effect, type Layer } from "effect"

/** The adapter's units, with all, some and no attributes, and one postcode that it does not contain. */
export interface UnitsSample {
  readonly known: ReadonlyArray<readonly [Postcode, UnitAttributes]>
  readonly unknown: Postcode
}

/** Registers the tests of the port `Units`. */
export const unitsSuite = <E>(name: string, adapter: Layer.Layer<Units, E>, sample: UnitsSample): void =>
  layer(adapter, { excludeTestServices: true })(`Units ${name}`, (it) => {
    const expect = Effect.fnUntraced(function* (asked: ReadonlyArray<readonly [Postcode, UnitAttributes]>) {
      const postcodes = asked.map(([postcode]) => postcode)
      assert.deepStrictEqual(
        yield* (yield* Units).attributes(postcodes),
        asked.map(([, attributes]) => attributes)
      )
    })

    it.effect("attributes have the order of the postcodes", () =>
      Effect.gen(function* () {
        yield* expect(sample.known)
        yield* expect([...sample.known].reverse())
        for (const one of sample.known) yield* expect([one])
      })
    )

    it.effect("an unknown postcode has an empty record, and the others keep their places", () =>
      Effect.gen(function* () {
        const unknown = [sample.unknown, {}] as const
        yield* expect([unknown])
        yield* expect([unknown, ...sample.known, unknown])
      })
    )

    it.effect("a repeated postcode has a repeated result", () => expect([...sample.known, ...sample.known]))

    it.effect("without postcodes there are no attributes", () => expect([]))

    it.effect("a hundred postcodes can be requested together", () =>
      expect(Array.from({ length: 100 }, (_, i) => sample.known[i % sample.known.length] ?? [sample.unknown, {}]))
    )
  })
