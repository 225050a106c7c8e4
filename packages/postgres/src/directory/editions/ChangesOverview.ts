/** What an edition would do to the changes of the current one, for people. */
import type { ChangeKind } from "@postcode/core/Changes"
import type { Postcode } from "@postcode/core/Postcode"
import { changesBetween } from "@postcode/gateway/directory/imports/changeFate"
import type { ChangedUnit } from "../ChangedUnits.ts"

/** Counts are numbers of changed units. */
export interface ChangesOverview {
  /** The version of the changed edition. */
  readonly version: string
  /** The number of its changes that were considered. */
  readonly changes: number
  readonly contained: number
  readonly undone: number
  readonly superseded: number
  /** The changes that would be undone, by kind. */
  readonly undoneChanges: ReadonlyMap<ChangeKind, Examples>
  readonly supersededUnits: Examples
}

/** A number of units, and the first of them in code order. */
export interface Examples {
  readonly count: number
  readonly first: ReadonlyArray<Postcode>
}

/** Counts changed units. */
export class ChangesTally {
  contained = 0
  undone = 0
  superseded = 0
  private readonly undoneChanges = new Map<ChangeKind, Examples>()
  private supersededUnits: Examples = none

  add(unit: ChangedUnit): void {
    const { after, changed, fate } = unit
    this[fate]++
    if (fate === "superseded") this.supersededUnits = withOne(this.supersededUnits, changed.postcode)
    if (fate !== "undone") return
    for (const { change } of changesBetween(after, changed)) {
      this.undoneChanges.set(change, withOne(this.undoneChanges.get(change) ?? none, changed.postcode))
    }
  }

  overview(version: string, changes: number): ChangesOverview {
    const { contained, superseded, supersededUnits, undone, undoneChanges } = this
    return { version, changes, contained, undone, superseded, undoneChanges, supersededUnits }
  }
}

const maxExamples = 5

const none: Examples = { count: 0, first: [] }

const withOne = ({ count, first }: Examples, postcode: Postcode): Examples => ({
  count: count + 1,
  first: first.length < maxExamples ? [...first, postcode] : first
})
