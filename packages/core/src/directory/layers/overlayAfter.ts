/** Computes the overlay of branches after a batch of changes. */

import { segmentValues } from "../../postcode/SegmentValue.ts"
import { aboveAllValues, enterBranch, enterRoot, readChildren } from "../codes/Branch.ts"
import { CodeIndex } from "../codes/CodeIndex.ts"
import { type BranchDepth, type BranchOverlay, withBranch } from "./BranchOverlay.ts"

/**
 * The overlay after a batch of changes.
 *
 * @param index includes the changed units, but still has the previous overlay
 * @param touched the packed codes of the changed units
 */
export const overlayAfter = (index: CodeIndex, touched: Iterable<number>): BranchOverlay => {
  let present = index
  for (const unit of touched) {
    const area = Math.floor(unit / segmentValues.unit)
    const district = Math.floor(area / segmentValues.area)
    const lga = Math.floor(district / segmentValues.district)
    const branches = [Math.floor(lga / segmentValues.lga), lga, district, area] as const
    for (let depth: BranchDepth = 3; ; depth = (depth - 1) as BranchDepth) {
      const isLive = hasChildren(present, depth, branches[depth])
      // If the state of a branch did not change, those of its ancestors did not either.
      if (isLive === wasLive(present, depth, branches)) break
      present = withOverlay(present, withBranch(present.overlay, depth, branches[depth], isLive))
      if (depth === 0) break
    }
  }
  return present.overlay
}

const hasChildren = (index: CodeIndex, depth: BranchDepth, branch: number): boolean => {
  enterBranch(index, depth, branch)
  return readChildren(0, aboveAllValues, 1) > 0
}

/** Whether the parent lists the branch, according to the previous overlay. */
const wasLive = (
  index: CodeIndex,
  depth: BranchDepth,
  branches: readonly [number, number, number, number]
): boolean => {
  if (depth === 0) enterRoot(index)
  else enterBranch(index, (depth - 1) as BranchDepth, branches[(depth - 1) as BranchDepth])
  const value = branches[depth] % segmentValues[segmentOf[depth]]
  return readChildren(value, value + 1, 1) > 0
}

const segmentOf = ["state", "lga", "district", "area"] as const

const withOverlay = ({ changes, tree }: CodeIndex, overlay: BranchOverlay): CodeIndex =>
  new CodeIndex(tree, changes, overlay)
