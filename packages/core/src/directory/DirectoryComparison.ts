/** What became of the units between two editions of a directory. */
import type { Directory } from "./Directory.ts"

/** Each unit is counted once. */
export interface DirectoryDifference {
  readonly added: number
  /** Units that are no longer known at all. */
  readonly removed: number
  readonly retired: number
  readonly reactivated: number
  /** Units that are elsewhere, and whose status is the same. */
  readonly moved: number
  readonly unchanged: number
}

/**
 * Compares two directories without changes of their own, as `DirectoryBuilder` and `Directory.open` make them: one pass
 * through both in code order. What is known of units beyond code, status and place is in neither.
 */
export const compareDirectories = (before: Directory, after: Directory): DirectoryDifference => {
  const [old] = before.layers
  const [now] = after.layers
  const count = { removed: 0, retired: 0, reactivated: 0, moved: 0, unchanged: 0 }
  let common = 0
  let id = 0
  for (let oldId = 0; oldId < before.size; oldId++) {
    const code = old.codeOf(oldId)
    while (id < after.size && now.codeOf(id) < code) id++
    if (id === after.size || now.codeOf(id) !== code) count.removed++
    else {
      const isActive = now.isActive(id)
      const isSamePlace = now.latOf_e7(id) === old.latOf_e7(oldId) && now.lonOf_e7(id) === old.lonOf_e7(oldId)
      if (isActive !== old.isActive(oldId)) count[isActive ? "reactivated" : "retired"]++
      else count[isSamePlace ? "unchanged" : "moved"]++
      common++
    }
  }
  return { added: after.size - common, ...count }
}
