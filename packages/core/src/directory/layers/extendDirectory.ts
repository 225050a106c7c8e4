/** Directories with a few units and places more, such as reserved ones. They share the memory of the directory below. */

import type { Postcode } from "../../postcode/Postcode.ts"
import { absent } from "../codes/AreaUnits.ts"
import { CodeIndex } from "../codes/CodeIndex.ts"
import { Directory } from "../Directory.ts"
import { NameTable } from "../places/NameTable.ts"
import type { Place } from "../places/Place.ts"
import { ChangeLog } from "./ChangeLog.ts"
import { ChangeLayer } from "./Layer.ts"
import { mergeTaskOf } from "./MergeLayers.ts"
import { overlayAfter } from "./overlayAfter.ts"
import { type UnitPlace, unitStatesOf } from "./UnitStates.ts"

/**
 * Returns a function that puts the units and places on a directory, in some microseconds. The version stays the same.
 *
 * The function throws RangeError if the directory has one of the units.
 */
export const extendDirectory = (
  units: ReadonlyArray<UnitPlace>,
  places: ReadonlyArray<Place>
): ((directory: Directory) => Directory) => {
  const postcodes: ReadonlyArray<Postcode> = units.map(({ postcode }) => postcode)
  const log = new ChangeLog(() => absent)
  const activated = log.append(unitStatesOf(units))
  const layer = new ChangeLayer(log)
  let last: { readonly names: NameTable; readonly extended: NameTable } | undefined
  return (directory) => {
    const known = postcodes.find((postcode) => directory.find(postcode) >= 0)
    if (known !== undefined) throw new RangeError(`${known}: expected a postcode that the directory does not have`)
    const { base } = mergeTaskOf(directory)
    const [, ...below] = directory.layers
    // The table takes longer than all else, and is the same for all versions of an edition.
    if (last?.names !== directory.names) {
      last = { names: directory.names, extended: new NameTable([...base.places, ...places]) }
    }
    const { extended: names } = last
    const layers = [...below, layer]
    const { overlay, tree } = directory.codes
    const codes = new CodeIndex(tree, layers, overlay)
    return new Directory(
      { ...base, places: [...base.places, ...places] },
      { layers, names, overlay: overlayAfter(codes, activated), addresses: directory.changedAddresses }
    )
  }
}
