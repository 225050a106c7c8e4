/** Compares the units of two editions of a directory. */
import type { Directory } from "./Directory.ts"

/** Each unit is counted once. */
export interface DirectoryDifference {
  readonly added: number
  /** Units that are no longer in the directory. */
  readonly removed: number
  readonly retired: number
  readonly reactivated: number
  /** Units with another location and the same status. */
  readonly moved: number
  readonly unchanged: number
}

/**
 * Compares two directories without changes, as returned by `DirectoryBuilder` and `Directory.open`, in one pass in code
 * order. Attributes are not part of directories and are not compared.
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
