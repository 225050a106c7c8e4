/** The current directory, which may change, and the attributes of its units. */
import { Context, Effect, Exit, Layer } from "effect"
import type { Postcode } from "../postcode/Postcode.ts"
import { CurrentDirectory } from "./CurrentDirectory.ts"
import { LiveDirectory, type LiveUpdate } from "./changes/LiveDirectory.ts"
import { withAttributes } from "./changes/UnitChange.ts"
import type { Directory } from "./Directory.ts"
import type { UnitAttributes } from "./UnitAttributes.ts"
import { Units } from "./Units.ts"

/**
 * Both ports over a directory in memory.
 *
 * ```ts
 * layerDirectory(built.directory, columns.attributesOf(built.rowOfUnit))
 * ```
 *
 * Over a `LiveDirectory` the ports follow its changes while the layer is in use. A unit keeps its attributes until a
 * change has others; attributes from changes are kept until the layer ends. Changes before the layer is built are
 * missed, so build it first.
 *
 * @param attributesOf the attributes of a unit by its id in this directory, or in the current one at the time of this
 *   call
 */
export const layerDirectory = (
  directory: Directory | LiveDirectory,
  attributesOf: (id: number, postcode: Postcode) => UnitAttributes
): Layer.Layer<CurrentDirectory | Units> =>
  directory instanceof LiveDirectory ? layerLive(directory, attributesOf) : layerFixed(directory, attributesOf)

const layerFixed = (
  directory: Directory,
  attributesOf: (id: number, postcode: Postcode) => UnitAttributes
): Layer.Layer<CurrentDirectory | Units> => {
  const attributes = (postcode: Postcode): UnitAttributes => {
    const id = directory.find(postcode)
    return id < 0 ? nothingKnown : attributesOf(id, postcode)
  }
  return Layer.succeedContext(services(() => directory, attributes))
}

const layerLive = (
  live: LiveDirectory,
  attributesOf: (id: number, postcode: Postcode) => UnitAttributes
): Layer.Layer<CurrentDirectory | Units> => {
  // Ids belong to the directory of the loaded attributes; only its codes are kept in memory.
  const firstId = live.current.finder()
  return Layer.effectContext(
    Effect.gen(function* () {
      const brought = new Map<Postcode, UnitAttributes>()
      const known = (postcode: Postcode): UnitAttributes => {
        const id = firstId(postcode)
        return brought.get(postcode) ?? (id < 0 ? nothingKnown : attributesOf(id, postcode))
      }
      const remember = ({ changes }: LiveUpdate): void => {
        for (const change of changes ?? []) {
          const { postcode } = change
          if (change.change === "set") brought.set(postcode, withAttributes(known(postcode), change.attributes))
          else if (change.change === "add" && change.attributes !== undefined) brought.set(postcode, change.attributes)
        }
      }
      yield* Effect.acquireRelease(
        Effect.sync(() => live.follow(remember)),
        (unfollow) => Effect.sync(unfollow)
      )
      const attributes = (postcode: Postcode): UnitAttributes => {
        return live.current.find(postcode) < 0 ? nothingKnown : known(postcode)
      }
      return services(() => live.current, attributes)
    })
  )
}

const services = (
  get: () => Directory,
  attributes: (postcode: Postcode) => UnitAttributes
): Context.Context<CurrentDirectory | Units> =>
  Context.make(CurrentDirectory, { get }).pipe(
    Context.add(Units, { attributes: (postcodes) => Exit.succeed(postcodes.map(attributes)) })
  )

const nothingKnown: UnitAttributes = {}
