/** The units of all layers by code. */
import type { Postcode } from "../../postcode/Postcode.ts"
import {
  lastArea,
  lastDistrict,
  lastLga,
  lastPackedCode,
  lastUnit,
  readCanonical,
  readPostcode
} from "../../postcode/SegmentReader.ts"
import { type BranchOverlay, noOverlay } from "../layers/BranchOverlay.ts"
import type { ChangeLayer } from "../layers/Layer.ts"
import { absent, active, idIn, retired, statusIn } from "./AreaUnits.ts"
import { type SegmentTree, type TreeLevel, treeSize } from "./SegmentTree.ts"
import { areaAt, findPacked, indexOfTree, type TreeIndex } from "./TreeIndex.ts"

/** The status of a text that is not a postcode, besides `absent`, `retired` and `active`. */
export const malformed = 3

export class CodeIndex {
  readonly tree: SegmentTree
  readonly index: TreeIndex
  /** The layers of changes. */
  readonly changes: ReadonlyArray<ChangeLayer>
  /** The effect of the changes on the tree's branches. */
  readonly overlay: BranchOverlay
  /** Offset of each layer's ids; the first layer is the tree. */
  readonly firstIds: ReadonlyArray<number>
  /** The highest id plus 1. */
  readonly endId: number

  constructor(tree: SegmentTree, changes: ReadonlyArray<ChangeLayer>, overlay = noOverlay) {
    const firstIds = [0]
    let endId = treeSize(tree)
    for (const { size } of changes) {
      firstIds.push(endId)
      endId += size
    }
    this.tree = tree
    this.index = indexOfTree(tree)
    this.changes = changes
    this.overlay = overlay
    this.firstIds = firstIds
    this.endId = endId
  }

  /** The id of a postcode, or −1. */
  find(postcode: Postcode): number {
    if (!readCanonical(postcode)) return -1
    if (this.changes.length > 0) {
      const changed = this.findChanged(lastPackedCode())
      if (changed >= 0) return changed
    }
    const area = areaAt(this.index, lastLga(), lastDistrict(), lastArea())
    return idIn(this.tree.areas.units, area, lastUnit())
  }

  /** The id of a packed code, or −1. */
  findPacked(code: number): number {
    const changed = this.findChanged(code)
    return changed >= 0 ? changed : findPacked(this.index, code)
  }

  /** The status of a postcode: `absent`, `retired` or `active`. */
  statusOf(postcode: Postcode): number {
    return readCanonical(postcode) ? this.statusRead() : absent
  }

  /** The same for a postcode in any format; `malformed` if it is not one. */
  statusOfText(text: string): number {
    return readPostcode(text) ? this.statusRead() : malformed
  }

  /** The layer of an id; 0 is the tree. */
  layerOf(id: number): number {
    if (!(id >= 0 && id < this.endId && Number.isInteger(id))) {
      throw new RangeError(`unit id ${id}: expected an integer from 0 to ${this.endId - 1}`)
    }
    let layer = this.changes.length
    while ((this.firstIds[layer] as number) > id) layer--
    return layer
  }

  /** A copy in separate arrays, if the arrays would keep a whole snapshot in memory. */
  detached(): CodeIndex {
    return new CodeIndex(detachedTree(this.tree), this.changes, this.overlay)
  }

  /** The status of the last parsed postcode. */
  private statusRead(): number {
    if (this.changes.length > 0) {
      const id = this.findChanged(lastPackedCode())
      if (id >= 0) return this.statusInChanges(id)
    }
    const area = areaAt(this.index, lastLga(), lastDistrict(), lastArea())
    return statusIn(this.tree.areas.units, area, lastUnit())
  }

  private statusInChanges(id: number): number {
    const layer = this.layerOf(id)
    const isActive = (this.changes[layer - 1] as ChangeLayer).isActive(id - (this.firstIds[layer] as number))
    return isActive ? active : retired
  }

  /** The id of a packed code in the changes, or −1. */
  findChanged(code: number): number {
    const { changes } = this
    for (let above = changes.length - 1; above >= 0; above--) {
      const id = (changes[above] as ChangeLayer).find(code)
      if (id >= 0) return (this.firstIds[above + 1] as number) + id
    }
    return -1
  }
}

const detachedTree = (tree: SegmentTree): SegmentTree => {
  const { areas, levels } = tree
  if (isDetached(areas.units)) return tree
  const level = ({ active, starts, values }: TreeLevel): TreeLevel => ({
    values: values.slice(),
    starts: starts.slice(),
    active: active.slice()
  })
  return {
    levels: [level(levels[0]), level(levels[1]), level(levels[2])],
    areas: { values: areas.values.slice(), units: areas.units.slice() }
  }
}

/** Whether an array owns its buffer, unlike a view of a snapshot. */
const isDetached = ({ buffer, byteLength }: Uint32Array): boolean => byteLength === buffer.byteLength
