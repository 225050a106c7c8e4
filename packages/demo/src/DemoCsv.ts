/**
 * A demonstration directory as the two CSV files of the import format, generated as a stream: any size takes the memory
 * of a few thousand rows.
 */

import { placeLine, placesHeader, unitLine, unitsHeader } from "@postcode/core/Csv"
import { unpack } from "@postcode/core/Directory"
import { demoAttributes } from "./DemoAttributes.ts"
import type { DemoSize } from "./DemoPlan.ts"
import { demoSize } from "./DemoPlan.ts"
import { demoUnits } from "./DemoUnits.ts"
import { nigeriaPlaces } from "./NigeriaPlaces.ts"

/** The text of `places.csv`: the 37 states and 774 LGAs, whatever the size of the directory. */
export const demoPlacesCsv = (): string => placesHeader + nigeriaPlaces().map(placeLine).join("")

/** A piece of `units.csv`: whole lines. */
export interface CsvPiece {
  readonly text: string
  /** Units in this piece; the header belongs to the first. */
  readonly units: number
}

/**
 * The text of `units.csv`, in pieces of 1 to 2 MB.
 *
 * @throws RangeError if the size is out of bounds, when the first piece is requested
 * @example
 * ```ts
 * for (const { text } of demoUnitsCsv({ units: 1_000_000, seed: 7 })) file.write(text)
 * ```
 */
export function* demoUnitsCsv(size: DemoSize = {}): Generator<CsvPiece, void, void> {
  const { seed, units } = demoSize(size)
  const attributesOf = demoAttributes(seed)
  let text = unitsHeader
  for (const { active, codes, count, lat_e7, lon_e7, successors } of demoUnits({ units, seed })) {
    for (let i = 0; i < count; i++) {
      const postcode = unpack(codes[i] as number)
      const isActive = active[i] === 1
      const replacedBy = successors[i] === 0 ? undefined : unpack(successors[i] as number)
      const attributes = attributesOf(postcode)
      text += unitLine(postcode, lat_e7[i] as number, lon_e7[i] as number, isActive, attributes, replacedBy)
    }
    yield { text, units: count }
    text = ""
  }
}
