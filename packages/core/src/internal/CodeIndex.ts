/** The units of all layers by their codes, and nothing else of them. */
import { packSegments } from "../PackedCode.ts"
import { type BranchOverlay, noOverlay } from "./BranchOverlay.ts"
import { type ChangeFilter, mayHoldCode } from "./ChangeFilter.ts"
import type { ChangeLayer } from "./Layer.ts"
import { areaIn, districtIn, lgaIn, stateIn, unitIn } from "./RenderedSegments.ts"
import { findUnit, type SegmentTree, type TreeLevel } from "./SegmentTree.ts"

export class CodeIndex {
  readonly tree: SegmentTree
  /** The layers above the tree, older ones first. */
  readonly changes: ReadonlyArray<ChangeLayer>
  /** Lets through what may have to do with the changes. */
  readonly filter: ChangeFilter | undefined
  /** What the changes make of the branches of the tree. */
  readonly overlay: BranchOverlay
  /** By layer: what is added to the ids in the layer. The first one is that of the tree. */
  readonly firstIds: ReadonlyArray<number>
  /** One more than the highest id. */
  readonly endId: number

  constructor(tree: SegmentTree, changes: ReadonlyArray<ChangeLayer>, filter?: ChangeFilter, overlay = noOverlay) {
    const firstIds = [0]
    let endId = tree.units.length
    for (const { size } of changes) {
      firstIds.push(endId)
      endId += size
    }
    this.tree = tree
    this.changes = changes
    this.filter = filter
    this.overlay = overlay
    this.firstIds = firstIds
    this.endId = endId
  }

  /** The id of a whole postcode in any rendering, or −1. */
  find(whole: string, gap: number): number {
    const state = stateIn(whole)
    const lga = lgaIn(whole, gap)
    const district = districtIn(whole, gap)
    const area = areaIn(whole, gap)
    const unit = unitIn(whole, gap)
    if (this.changes.length > 0) {
      const changed = this.findChanged(packSegments(state, lga, district, area, unit))
      if (changed >= 0) return changed
    }
    return findUnit(this.tree, state, lga, district, area, unit)
  }

  /** The layer that an id is of; 0 is that of the tree. */
  layerOf(id: number): number {
    if (!(id >= 0 && id < this.endId && Number.isInteger(id))) {
      throw new RangeError(`unit id ${id}: expected an integer from 0 to ${this.endId - 1}`)
    }
    let layer = this.changes.length
    while ((this.firstIds[layer] as number) > id) layer--
    return layer
  }

  /** The same in arrays of its own, where others would keep a whole snapshot alive. */
  detached(): CodeIndex {
    return new CodeIndex(detachedTree(this.tree), this.changes, this.filter, this.overlay)
  }

  private findChanged(code: number): number {
    const { changes, filter } = this
    if (filter !== undefined && !mayHoldCode(filter, code)) return -1
    for (let above = changes.length - 1; above >= 0; above--) {
      const id = (changes[above] as ChangeLayer).find(code)
      if (id >= 0) return (this.firstIds[above + 1] as number) + id
    }
    return -1
  }
}

const detachedTree = ({ activeBits, levels, units }: SegmentTree): SegmentTree => {
  const level = ({ active, starts, values }: TreeLevel): TreeLevel => ({
    values: detached(values),
    starts: detached(starts),
    active: detached(active)
  })
  return {
    levels: [level(levels[0]), level(levels[1]), level(levels[2]), level(levels[3])],
    units: detached(units),
    activeBits: detached(activeBits)
  }
}

const detached = <A extends Uint8Array | Uint16Array | Uint32Array>(array: A): A =>
  array.byteLength === array.buffer.byteLength ? array : (array.slice() as A)
