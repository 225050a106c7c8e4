/**
 * Layers of changes on top of an edition, as they grow. `put` adds units to them; `directory` makes the immutable
 * directory of all that was put so far. Directories that were made before keep their units, but are searched faster
 * again only once another one is made: the visibility bits of layers are shared, and exact for the newest.
 */

import { absent, active, retired } from "../codes/AreaUnits.ts"
import { CodeIndex } from "../codes/CodeIndex.ts"
import { isActiveId } from "../codes/TreeIndex.ts"
import { Directory, type DirectoryContents } from "../Directory.ts"
import type { NameTable } from "../places/NameTable.ts"
import { hideUnit, withOwnVisibility } from "../space/SpatialIndex.ts"
import { type ChangeFilter, emptyFilter } from "./ChangeFilter.ts"
import { ChangeTiers } from "./ChangeTiers.ts"
import { addAllToFilter, type ChangedUnits, type ChangeLayer } from "./Layer.ts"
import { overlayAfter } from "./overlayAfter.ts"
import type { UnitStates } from "./UnitStates.ts"

export class LayerStack {
  /** The edition below all changes, as it was given. */
  readonly edition: DirectoryContents
  private readonly names: NameTable
  private readonly bitsOf: { current: Directory | undefined } = { current: undefined }
  private readonly tiers = new ChangeTiers()
  /** The edition with separate visibility bits, once there is a change. */
  private base: DirectoryContents
  /** Of all units in layers of changes. */
  private filter: ChangeFilter = emptyFilter(0)
  /** Remaining capacity of the filter in units. */
  private filterCapacity = 0
  private codes: CodeIndex

  /** @param directory without changes */
  constructor(directory: Directory) {
    this.edition = directory.contents
    this.base = this.edition
    this.names = directory.names
    this.codes = directory.codes
  }

  /** Number of units in all layers; a unit in several layers is counted in each. */
  get size(): number {
    return this.tiers.size
  }

  put(states: UnitStates): void {
    // Until the next directory, the bits are exact for none.
    this.bitsOf.current = undefined
    if (this.base === this.edition) {
      this.base = { ...this.edition, spatial: withOwnVisibility(this.edition.spatial) }
    }
    const { changes: layersBefore, firstIds } = this.codes
    const ids = Array.from(states.codes, (code) => this.codes.findPacked(code))
    const units = { ...states, statusesBelow: Uint8Array.from(ids, (id) => this.statusOf(id)) }
    this.tiers.add(units)
    const layers = this.tiers.layers()
    this.addToFilter(units, layers)
    // Older layers are the same as before, except that some of the newest were merged into one. In that one, and in the
    // newest, no unit needs hiding.
    const older = layers.length - 1
    for (const id of ids) {
      const layer = id < 0 ? Number.POSITIVE_INFINITY : this.codes.layerOf(id)
      if (layer > older) continue
      const unit = id - (firstIds[layer] as number)
      if (layer === 0) hideUnit(this.base.spatial, unit)
      else (layersBefore[layer - 1] as ChangeLayer).hide(unit)
    }
    const { overlay, tree } = this.codes
    const index = new CodeIndex(tree, layers, this.filter, overlay)
    this.codes = new CodeIndex(tree, layers, this.filter, overlayAfter(index, codesOfChangedActivity(units)))
  }

  /**
   * @param changes number of changes since the publisher's edition
   * @param addresses the index of changed addresses
   */
  directory(changes: number, addresses: Directory | undefined): Directory {
    const { bitsOf, filter, names } = this
    const { changes: layers, overlay } = this.codes
    const directory = new Directory({ ...this.base, changes }, { layers, names, filter, overlay, bitsOf, addresses })
    bitsOf.current = directory
    return directory
  }

  private statusOf(id: number): number {
    if (id < 0) return absent
    const layer = this.codes.layerOf(id)
    if (layer === 0) return isActiveId(this.codes.index, id) ? active : retired
    const unit = id - (this.codes.firstIds[layer] as number)
    return (this.codes.changes[layer - 1] as ChangeLayer).isActive(unit) ? active : retired
  }

  private addToFilter(units: ChangedUnits, layers: ReadonlyArray<ChangeLayer>): void {
    this.filterCapacity -= units.codes.length
    if (this.filterCapacity < 0) this.renewFilter(layers)
    else addAllToFilter(this.filter, units)
  }

  /** A filter of the units in all layers, with the same capacity again. */
  private renewFilter(layers: ReadonlyArray<ChangeLayer>): void {
    const units = this.size
    this.filterCapacity = Math.max(leastFilterRoom, units)
    this.filter = emptyFilter(units + this.filterCapacity)
    for (const { changed } of layers) addAllToFilter(this.filter, changed)
  }
}

const leastFilterRoom = 1024

/** The codes of the units that became active, or no longer are. */
const codesOfChangedActivity = ({ codes, statuses, statusesBelow }: ChangedUnits): Float64Array =>
  codes.filter((_, at) => (statuses[at] === active) !== (statusesBelow[at] === active))
