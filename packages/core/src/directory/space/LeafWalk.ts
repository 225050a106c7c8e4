/** The walk from the root of the KD-tree to the leaves that may have a unit within the bound of the search. */
import { bound2, leastEast2, leastNorth2, plane, x_e7, y_e7 } from "./SearchPlane.ts"
import { blockAt, type SpatialIndex, unitCount } from "./SpatialIndex.ts"
import { axisOf, lineOffset, rootSlot, slotsOfLine } from "./SplitTree.ts"

/** Maximum number of leaves that one call finds. */
export const maxLeaves = 24

/** The leaves found by the last call of `nextLeaves`, and the square of each one's minimum distance. */
export const foundLeaves = new Uint32Array(maxLeaves)
export const foundSquares = new Float64Array(maxLeaves)

// A stack of subtrees to visit: line · 32 + slot, and the squares of the minimum distances east and north.
const framesNode = new Uint32Array(40)
const framesEast2 = new Float64Array(40)
const framesNorth2 = new Float64Array(40)
let frames = 0

// Receives what was read ahead, so that the reads are not optimized away.
const readAhead = new Uint32Array(1)

export const beginWalk = (depth: number): void => {
  framesNode[0] = rootSlot(depth)
  framesEast2[0] = 0
  framesNorth2[0] = 0
  frames = 1
}

/**
 * Finds at most `most` leaves within the bound, near ones early. Returns their number; 0 if none remain. Several are
 * found at once, so that their memory is read at the same time.
 *
 * The side of a split is computed without a branch, because a branch would be mispredicted half of the time. The query
 * is rounded down, which does not change its comparison with integers. While the last line of splits is read from
 * memory, the walk also reads where the leaves below it are stored.
 */
export const nextLeaves = (index: SpatialIndex, most: number): number => {
  if (frames === 0) return 0
  const { depth, drifts, splits, units, visible } = index
  const unitsPerLeaf = unitCount(index) / (1 << depth)
  const x = plane[x_e7] as number
  const y = plane[y_e7] as number
  const floorX = Math.floor(x) | 0
  const floorY = Math.floor(y) | 0
  const bound = plane[bound2] as number
  const eastScale2 = plane[leastEast2] as number
  const northScale2 = plane[leastNorth2] as number
  const lines = splits.length >>> 4
  const offset = lineOffset(depth)
  let top = frames
  let found = 0
  let read = 0
  while (top > 0 && found < most) {
    top--
    // The far side of a split is at least as far as the split on its axis, and as near as the node on the other axis.
    const east2 = framesEast2[top] as number
    const north2 = framesNorth2[top] as number
    if (east2 + north2 > bound) continue
    let line = (framesNode[top] as number) >>> 5
    let slot = (framesNode[top] as number) & 31
    let axis = axisOf(depth, slot)
    for (;;) {
      while (slot < slotsOfLine) {
        const split = splits[slotsOfLine * line + slot] as number
        if (axis === 0) {
          const far2 = (x - split) * (x - split) * eastScale2
          slot = 2 * slot + +(floorX >= split)
          if (far2 + north2 <= bound) {
            framesNode[top] = (line << 5) | (slot ^ 1)
            framesEast2[top] = far2
            framesNorth2[top++] = north2
          }
        } else {
          const far2 = (y - split) * (y - split) * northScale2
          slot = 2 * slot + +(floorY >= split)
          if (far2 + east2 <= bound) {
            framesNode[top] = (line << 5) | (slot ^ 1)
            framesEast2[top] = east2
            framesNorth2[top++] = far2
          }
        }
        axis ^= 1
      }
      line = slotsOfLine * line + slot + offset
      if (line >= lines) break
      slot = 1
      const leaf = slotsOfLine * (line + 1) + offset - lines
      if (leaf < 0) continue
      const start = (leaf * unitsPerLeaf) | 0
      read |= (drifts[leaf] as number) | (visible[start >>> 3] as number) | (units[blockAt(leaf, start)] as number)
    }
    foundLeaves[found] = line - lines
    foundSquares[found++] = east2 + north2
  }
  frames = top
  readAhead[0] = read
  return found
}
