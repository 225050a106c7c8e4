/** Compares the units of two editions of a directory. */
import { farMove_m, type Removals } from "@postcode/core/Changes"
import { distance_m, fromE7 } from "@postcode/core/Coordinate"
import type { Directory } from "@postcode/core/Directory"

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

/** What a new edition changes, and what it takes away. */
export interface DirectoryComparison {
  readonly difference: DirectoryDifference
  /** Of active units only. */
  readonly removals: Removals
}

/**
 * Compares two directories without changes, as returned by `DirectoryBuilder` and `Directory.open`, in one pass in code
 * order. Attributes are not part of directories and are not compared.
 */
export const compareDirectories = (before: Directory, after: Directory): DirectoryComparison => {
  const [old] = before.layers
  const [now] = after.layers
  const count = { removed: 0, retired: 0, reactivated: 0, moved: 0, unchanged: 0 }
  const taken = { removed: 0, retired: 0, moved: 0 }
  let common = 0
  let id = 0
  for (let oldId = 0; oldId < before.size; oldId++) {
    const code = old.codeOf(oldId)
    const wasActive = old.isActive(oldId)
    while (id < after.size && now.codeOf(id) < code) id++
    if (id === after.size || now.codeOf(id) !== code) {
      count.removed++
      if (wasActive) taken.removed++
      continue
    }
    common++
    const isActive = now.isActive(id)
    const isSamePlace = now.latOf_e7(id) === old.latOf_e7(oldId) && now.lonOf_e7(id) === old.lonOf_e7(oldId)
    if (isActive !== wasActive) count[isActive ? "reactivated" : "retired"]++
    else count[isSamePlace ? "unchanged" : "moved"]++
    if (!wasActive) continue
    if (!isActive) taken.retired++
    else if (!isSamePlace && isFar(old, oldId, now, id)) taken.moved++
  }
  return {
    difference: { added: after.size - common, ...count },
    removals: { ...taken, active: before.activeSize, left: after.activeSize }
  }
}

type Base = Directory["layers"][0]

const isFar = (old: Base, oldId: number, now: Base, id: number): boolean => {
  const [fromLat, fromLon] = [old.latOf_e7(oldId), old.lonOf_e7(oldId)]
  const [toLat, toLon] = [now.latOf_e7(id), now.lonOf_e7(id)]
  const lat = Math.abs(toLat - fromLat)
  if (lat > surelyFar_e7) return true
  if (lat + Math.abs(toLon - fromLon) < surelyNear_e7) return false
  const from = { lat: fromE7(fromLat), lon: fromE7(fromLon) }
  return distance_m(from, { lat: fromE7(toLat), lon: fromE7(toLon) }) > farMove_m
}

/** A degree of latitude is 110.5 to 111.7 km and one of longitude at most 111.4: most moves need no exact distance. */
const surelyFar_e7 = 100_000
const surelyNear_e7 = 80_000
