/** One directory that stays in force, and the attributes of its units. */
import type { Directory } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import { CurrentDirectory } from "@postcode/core/ports/CurrentDirectory"
import { Units } from "@postcode/core/ports/Units"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { Effect, Layer } from "effect"

/**
 * Both ports over a directory in memory.
 *
 * ```ts
 * layerDirectory(built.directory, columns.attributesOf(built.rowOfUnit))
 * ```
 *
 * @param attributesOf what is known of a unit, by its id in this directory
 */
export const layerDirectory = (
  directory: Directory,
  attributesOf: (id: number, postcode: Postcode) => UnitAttributes
): Layer.Layer<CurrentDirectory | Units> => {
  const attributes = (postcode: Postcode): UnitAttributes => {
    const id = directory.find(postcode)
    return id < 0 ? nothingKnown : attributesOf(id, postcode)
  }
  return Layer.mergeAll(
    Layer.succeed(CurrentDirectory, { get: () => directory }),
    Layer.succeed(Units, { attributes: (postcodes) => Effect.sync(() => postcodes.map(attributes)) })
  )
}

const nothingKnown: UnitAttributes = {}
