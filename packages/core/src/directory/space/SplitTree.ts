/**
 * The values that a KD-tree splits by, laid out for walks from the root to a leaf. All leaves are equally deep.
 *
 * Four levels of the tree, 15 values, lie together in a line of 16 numbers, which is a cache line: a walk through the 19
 * levels above ten million units reads five lines, and in the order of one great heap it would be sixteen. In a line the
 * values are in the order of a heap, the children of slot n being 2n and 2n + 1; slots 16 to 31 stand for the lines below
 * it, and below the last lines for leaves. Only the first line may have fewer levels: they are those at the end of its
 * heap. Levels split by longitude and by latitude in turn, longitude first.
 */

export const slotsOfLine = 16
const levelsOfLine = 4

/** Where a walk begins: a slot of line 0. A tree without levels is a leaf, number 0. */
export const rootSlot = (depth: number): number => (depth === 0 ? slotsOfLine : (32 >> levelsOfFirstLine(depth)) - 1)

/** What to add to `16 · line + slot` to have the line below that slot. The leaves count on from the last line. */
export const lineOffset = (depth: number): number =>
  depth === 0 ? -slotsOfLine : (1 << levelsOfFirstLine(depth)) - 2 * slotsOfLine + 1

/** How many lines a tree with that many levels has. */
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
