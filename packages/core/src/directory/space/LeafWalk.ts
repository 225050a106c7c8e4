/** The walk from the root of a tree of splits to the leaves that may hold something within the bound of the search. */
import { bound2, leastEast2, leastNorth2, plane, x_e7, y_e7 } from "./SearchPlane.ts"
import { blockAt, type SpatialIndex, unitCount } from "./SpatialIndex.ts"
import { axisOf, lineOffset, rootSlot, slotsOfLine } from "./SplitTree.ts"

/** The most leaves that can be found at once. */
export const maxLeaves = 24

/** The leaves that the last call of `nextLeaves` found, and the square of the least distance of each. */
export const foundLeaves = new Uint32Array(maxLeaves)
export const foundSquares = new Float64Array(maxLeaves)

// Subtrees still to visit: line · 32 + slot, and the squares of the least distances east and north.
const framesNode = new Uint32Array(40)
const framesEast2 = new Float64Array(40)
const framesNorth2 = new Float64Array(40)
let frames = 0

// Whatever was read ahead, so that reading it is not optimised away.
const readAhead = new Uint32Array(1)

export const beginWalk = (depth: number): void => {
  framesNode[0] = rootSlot(depth)
  framesEast2[0] = 0
  framesNorth2[0] = 0
  frames = 1
}

/**
 * Finds the next leaves within the bound, at most so many, near ones early; returns how many, 0 if none are left. Several
 * at once, so that the memory of one can be fetched while another is still on its way.
 *
 * Which side of a split the query is on is as good as random, so it is computed and not branched on: the query, rounded
 * down, is not below an integer if and only if it is not below it itself. The last line of the way most often has to
 * come from memory. Meanwhile it reads from where the leaves below that line are: those reads wait together with it.
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
    // What is beyond a split is no nearer than it along its axis, and along the other one as near as the node.
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
