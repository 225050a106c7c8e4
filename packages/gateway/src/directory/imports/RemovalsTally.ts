import { noRemovals, type Removals, removalKind, type UnitPresence } from "@postcode/core/Changes"

/** Counts the units that another state of the directory takes away, one by one. */
export class RemovalsTally {
  private readonly counts: { -readonly [Name in keyof Removals]: Removals[Name] }

  constructor(counts: Removals = noRemovals) {
    this.counts = { ...counts }
  }

  /**
   * Counts a unit, undefined where it does not exist.
   *
   * @param times -1 takes back a unit that was counted
   */
  add(before: UnitPresence | undefined, after: UnitPresence | undefined, times: 1 | -1 = 1): void {
    if (after?.active) this.counts.left += times
    if (!before?.active) return
    this.counts.active += times
    const kind = removalKind(before, after)
    if (kind !== undefined) this.counts[kind] += times
  }

  removals(): Removals {
    return { ...this.counts }
  }
}
