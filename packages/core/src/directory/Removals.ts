/**
 * How much of the active units another state of the directory takes away, and whether that needs a permission: a file
 * that was cut off, or of another country, is valid, but hardly ever meant.
 */
import { type Coordinate, distance_m } from "./space/Coordinate.ts"

/** Numbers of units that are active before. Each is counted once. */
export interface Removals {
  /** Units that are no longer in the directory. */
  readonly removed: number
  readonly retired: number
  /** Units that are still active, farther away than `farMove_m`. */
  readonly moved: number
  /** Active units before. */
  readonly active: number
  /** Active units afterwards, with those that are new. */
  readonly left: number
}

/** The number of removals that is permitted. */
export type AllowedRemovals = number | "all"

/** What removals need. */
export interface RemovalsVerdict extends Removals {
  /** The number of removals. */
  readonly count: number
  /** Whether they need a permission, given or not. */
  readonly isLarge: boolean
  readonly isAllowed: boolean
  /** What they are: `remove 3, retire 0 and move 12 (by more than 1 km) of 1,000 active units`. */
  readonly description: string
}

/** A unit that moves less stays where it is found. */
export const farMove_m = 1_000

/** Removals of a larger share of the active units need a permission. */
const freeShare = 0.01

/** Decides on removals. Those of an empty directory are free, as there is nothing to lose. */
export const judgeRemovals = (removals: Removals, allowed: AllowedRemovals = 0): RemovalsVerdict => {
  const { active, left, moved, removed, retired } = removals
  const count = removed + retired + moved
  const isLarge = active > 0 && (count > active * freeShare || left === 0)
  const counts = `remove ${grouped(removed)}, retire ${grouped(retired)} and move ${grouped(moved)} (by more than 1 km)`
  return {
    ...removals,
    count,
    isLarge,
    isAllowed: !isLarge || allowed === "all" || count <= allowed,
    description: `${counts} of ${active === 1 ? "1 active unit" : `${grouped(active)} active units`}${left === 0 ? ", and leave none" : ""}`
  }
}

/** Changes name their units one by one, so that some of a small directory need no permission. */
export const freeChanges = 10

/**
 * The most active units that a batch of changes may retire or move away.
 *
 * @param active the number of active units before
 */
export const allowedByChanges = (active: number, allowed: AllowedRemovals = 0): number =>
  allowed === "all" ? Number.POSITIVE_INFINITY : Math.max(allowed, freeChanges, Math.floor(active * freeShare))

/** A number with its thousands apart: `1,234`. */
export const grouped = (count: number): string => count.toLocaleString("en")

/** What decides whether a unit is taken away. */
export interface UnitPresence {
  readonly active: boolean
  readonly coordinate: Coordinate
}

/** What happens to a unit that is taken away; undefined if it stays, or was not active. */
export const removalKind = (
  before: UnitPresence | undefined,
  after: UnitPresence | undefined
): "removed" | "retired" | "moved" | undefined => {
  if (!before?.active) return undefined
  if (after === undefined) return "removed"
  if (!after.active) return "retired"
  return distance_m(before.coordinate, after.coordinate) > farMove_m ? "moved" : undefined
}

/** The counts of a change that takes no unit away. */
export const noRemovals: Removals = { removed: 0, retired: 0, moved: 0, active: 0, left: 0 }
