// The ports over a directory that changes.
import { assert, describe, it } from "@effect/vitest"
import { Directory } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import { CurrentDirectory } from "@postcode/core/directory/CurrentDirectory"
import { currentDirectorySuite } from "@postcode/core/directory/CurrentDirectorySuite"
import { layerDirectory } from "@postcode/core/directory/layerDirectory"
import { Units } from "@postcode/core/directory/Units"
import { unitsSuite } from "@postcode/core/directory/UnitsSuite"
import { LiveDirectory, type UnitChange } from "@postcode/core/LiveDirectory"
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { Effect } from "effect"
import { attributesOf, codes, directory, origin, read, unitsSample } from "./SmallDirectory.ts"

/** Before all units of the small directory: it gives all of them another rank. */
const first = "AA-00-000-AA-00" as Postcode

const add = (postcode: Postcode, attributes?: UnitAttributes): UnitChange => ({
  change: "add",
  postcode,
  coordinate: origin,
  ...(attributes !== undefined && { attributes })
})

const live = new LiveDirectory(directory)

currentDirectorySuite(
  "in memory, live",
  layerDirectory(live, read),
  [
    [codes.whole, "active"],
    [codes.retired, "retired", codes.whole],
    [codes.unknown, "unknown"]
  ],
  {
    apply: Effect.sync(() => {
      live.apply([
        { change: "retire", postcode: codes.whole, replaced_by: codes.far },
        { change: "reactivate", postcode: codes.retired },
        add(codes.unknown)
      ])
    }),
    after: [
      [codes.whole, "retired", codes.far],
      [codes.retired, "active"],
      [codes.unknown, "active"]
    ]
  }
)

const emptyDirectory = (): Directory => {
  const built = new DirectoryBuilder().build()
  if (!built.ok) throw new Error("no units, and yet a postcode came twice")
  return built.directory
}

/** A live directory whose units all have another id than the one that the attributes were loaded with. */
const layerRenumbered = () => {
  const renumbered = new LiveDirectory(directory)
  const layer = layerDirectory(renumbered, read)
  renumbered.apply([add(first), { change: "retire", postcode: codes.whole }])
  renumbered.replace(new Directory(renumbered.current.contents))
  return layer
}

unitsSuite("in memory, live, with other ids than at first", layerRenumbered(), unitsSample)

describe("attributes over a live directory", () => {
  const run = (changing: LiveDirectory, test: Effect.Effect<void, unknown, Units | CurrentDirectory>) =>
    Effect.provide(test, layerDirectory(changing, read))

  const expectKnown = Effect.fnUntraced(function* (known: ReadonlyArray<readonly [Postcode, UnitAttributes]>) {
    const { attributes } = yield* Units
    assert.deepStrictEqual(
      yield* attributes(known.map(([postcode]) => postcode)),
      known.map(([, expected]) => expected)
    )
  })

  it.effect("are those that a unit came with, until a change brings others", () => {
    const changing = new LiveDirectory(directory)
    const brought = { locality_name: "Agidingbi", delivery_point: true }
    const nothing = Object.fromEntries(Object.keys(attributesOf.whole).map((name) => [name, null]))
    return run(
      changing,
      Effect.gen(function* () {
        yield* expectKnown([[codes.unknown, {}]])
        changing.apply([add(codes.unknown, brought), add(first)])
        changing.apply([
          { change: "set", postcode: codes.whole, attributes: { ...nothing, ...brought } },
          { change: "move", postcode: codes.partly, coordinate: origin },
          { change: "retire", postcode: codes.unknown }
        ])
        yield* expectKnown([
          [codes.unknown, brought],
          [first, {}],
          [codes.whole, brought],
          [codes.partly, attributesOf.partly],
          [codes.far, attributesOf.far]
        ])
      })
    )
  })

  it.effect("are not taken from changes that were refused", () => {
    const changing = new LiveDirectory(directory)
    return run(
      changing,
      Effect.gen(function* () {
        const refused = changing.apply([add(first, { locality_name: "Nowhere" }), add(codes.retired)])
        assert.isFalse(refused.ok)
        changing.apply([add(first)])
        yield* expectKnown([[first, {}]])
      })
    )
  })

  it.effect("are not told of units that a replacement does not have", () => {
    const changing = new LiveDirectory(directory)
    return run(
      changing,
      Effect.gen(function* () {
        changing.apply([add(codes.unknown, { locality_name: "Agidingbi" })])
        changing.replace(emptyDirectory())
        yield* expectKnown([
          [codes.whole, {}],
          [codes.unknown, {}]
        ])
        changing.replace(directory)
        yield* expectKnown([[codes.whole, attributesOf.whole]])
        assert.strictEqual((yield* CurrentDirectory).get(), directory)
      })
    )
  })

  it.effect("are followed no longer than the layer is in use", () => {
    const changing = new LiveDirectory(directory)
    const told: Array<string> = []
    const follow = changing.follow.bind(changing)
    changing.follow = (follower) => {
      told.push("followed")
      const stop = follow(follower)
      return () => {
        told.push("stopped")
        stop()
      }
    }
    return Effect.gen(function* () {
      yield* run(changing, expectKnown([[codes.whole, attributesOf.whole]]))
      assert.deepStrictEqual(told, ["followed", "stopped"])
    })
  })
})
