/** New states of units, and where a directory has the former ones. The directory is only read. */

import { absent, active, retired } from "../codes/AreaUnits.ts"
import { pack } from "../codes/PackedCode.ts"
import { noSuccessor } from "../codes/Successors.ts"
import type { Directory } from "../Directory.ts"
import { toE7 } from "../space/Coordinate.ts"
import { hideUnit } from "../space/SpatialIndex.ts"
import { type ChangedUnit, type ChangedUnits, columnsOf, type Layer } from "./Layer.ts"
import type { UnitState } from "./UnitChange.ts"

interface StagedUnit extends ChangedUnit {
  /** The layer of the directory that has the unit, or −1, and its id in that layer. */
  readonly layer: number
  readonly id: number
}

export class StagedUnits {
  private readonly staged: ReadonlyArray<StagedUnit>

  /** @param states in the order of the changes: of a unit that occurs more than once, the last one counts */
  constructor(directory: Directory, states: Iterable<UnitState>) {
    const latest = new Map<string, UnitState>()
    for (const state of states) latest.set(state.postcode, state)
    this.staged = Array.from(latest.values(), (state) => stage(directory, state)).sort((a, b) => a.code - b.code)
  }

  /** The units in code order. */
  columns(): ChangedUnits {
    return columnsOf(this.staged)
  }

  /** Hides the units in the oldest layers of the directory, which must have separate visibility bits. */
  hideIn(oldest: ReadonlyArray<Pick<Layer, "spatial">>): void {
    for (const { id, layer } of this.staged) {
      if (layer >= 0 && layer < oldest.length) hideUnit((oldest[layer] as Layer).spatial, id)
    }
  }
}

const stage = (directory: Directory, state: UnitState): StagedUnit => {
  const { coordinate, postcode, replaced_by } = state
  const found = directory.find(postcode)
  const layer = found < 0 ? -1 : directory.layerOf(found)
  const id = found < 0 ? -1 : found - (directory.firstIds[layer] as number)
  const statusBelow = found < 0 ? absent : directory.isActive(found) ? active : retired
  return {
    code: pack(postcode),
    layer,
    id,
    statusBelow,
    status: state.active ? active : retired,
    lat_e7: toE7(coordinate.lat),
    lon_e7: toE7(coordinate.lon),
    successor: replaced_by === undefined ? noSuccessor : pack(replaced_by)
  }
}
