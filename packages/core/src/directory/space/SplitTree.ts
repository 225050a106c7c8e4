/**
 * The split values of a KD-tree, laid out for walks from the root to a leaf. All leaves have the same depth.
 *
 * Four levels of the tree (15 values) are in one line of 16 numbers, a cache line: a walk through the 19 levels above
 * ten million units reads 5 lines, instead of 16 in a single heap. A line is a heap in which the children of slot n are
 * 2n and 2n + 1. Slots 16 to 31 stand for the lines below it, and below the last lines for leaves. Only the first line
 * may have fewer levels, those at the end of its heap. Levels split by longitude and latitude alternately, longitude
 * first.
 */

export const slotsOfLine = 16
const levelsOfLine = 4

/** The first slot of a walk, in line 0. A tree without levels is leaf 0. */
export const rootSlot = (depth: number): number => (depth === 0 ? slotsOfLine : (32 >> levelsOfFirstLine(depth)) - 1)

/** Added to `16 · line + slot`, gives the line below that slot. Leaves are numbered after the last line. */
export const lineOffset = (depth: number): number =>
  depth === 0 ? -slotsOfLine : (1 << levelsOfFirstLine(depth)) - 2 * slotsOfLine + 1

/** Number of lines of a tree. */
export const lineCount = (depth: number): number => {
  if (depth === 0) return 0
  let lines = 1
  let width = 2 ** levelsOfFirstLine(depth)
  for (let level = levelsOfFirstLine(depth); level < depth; level += levelsOfLine) {
    lines += width
    width *= slotsOfLine
  }
  return lines
}

/** 1 if the level of that slot splits by latitude, 0 if by longitude. */
export const axisOf = (depth: number, slot: number): number => (depth + 31 - Math.clz32(slot)) & 1

const levelsOfFirstLine = (depth: number): number => ((depth - 1) & (levelsOfLine - 1)) + 1
