/**
 * The branches of a directory with changes that have an active unit, but have none in the edition below, or the
 * reverse. Both are rare, so completion and listings read the edition's tree and then apply these differences.
 *
 * For each depth, a sorted list of numbers: twice the packed code of the branch, plus 1 if it has an active unit now.
 * An overlay is immutable: a batch of changes that affects a branch creates another one.
 */
import { firstFrom } from "../codes/CodeOrder.ts"

export type BranchOverlay = readonly [Float64Array, Float64Array, Float64Array, Float64Array]

export type BranchDepth = 0 | 1 | 2 | 3

export const noOverlay: BranchOverlay = [
  new Float64Array(0),
  new Float64Array(0),
  new Float64Array(0),
  new Float64Array(0)
]

/** The index of the first branch with at least this packed code. */
export const branchesFrom = (entries: Float64Array, code: number): number => firstFrom(entries, 2 * code)

/** The overlay with the new state of one branch. */
export const withBranch = (
  overlay: BranchOverlay,
  depth: BranchDepth,
  code: number,
  isLive: boolean
): BranchOverlay => {
  const entries = overlay[depth]
  const at = branchesFrom(entries, code)
  const end = branchesFrom(entries, code + 1)
  const changed = new Float64Array(entries.length - (end - at) + 1)
  changed.set(entries.subarray(0, at))
  changed[at] = 2 * code + (isLive ? 1 : 0)
  changed.set(entries.subarray(end), at + 1)
  const [states, lgas, districts, areas] = overlay
  switch (depth) {
    case 0:
      return [changed, lgas, districts, areas]
    case 1:
      return [states, changed, districts, areas]
    case 2:
      return [states, lgas, changed, areas]
    case 3:
      return [states, lgas, districts, changed]
  }
}
