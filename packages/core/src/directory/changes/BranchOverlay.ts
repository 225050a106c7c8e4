/**
 * Which branches of a directory with changes lead to an active unit, where the edition below says otherwise: a branch
 * that is new, or whose last active unit was retired. Both are rare, so completion and listings read the edition's tree,
 * and look here for what is different about it.
 *
 * For each depth, the branches as numbers in order: twice the packed code of the branch, and 1 if it is live now. An
 * overlay never changes: a step of changes makes another one, unless it opens or closes no branch.
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

/** Where the branches from a packed code on begin. */
export const branchesFrom = (entries: Float64Array, code: number): number => firstFrom(entries, 2 * code)

/** The overlay with what is now so of one branch. */
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
