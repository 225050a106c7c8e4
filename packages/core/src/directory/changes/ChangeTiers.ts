/**
 * The layers of changes. A change goes into the list of the most recent ones; when that is full, it becomes a layer.
 * Layers of about the same size are made into one when there are some of them: so a unit is copied once for each size,
 * however many changes come, and there are never many layers to ask.
 */
import {
  type ChangedUnit,
  type ChangedUnits,
  type ChangeLayer,
  columnsOf,
  mergeChanges,
  mergeRecent,
  RecentLayer,
  TierLayer
} from "./Layer.ts"

interface Tiered {
  readonly layer: TierLayer
  /** How large it is: each tier holds `layersTogether` times more units than the one before it. */
  readonly tier: number
}

export class ChangeTiers {
  private recent: RecentLayer | undefined
  /** Older ones first. */
  private readonly tiered: Array<Tiered> = []

  /** How many units all layers hold; one that several layers hold is counted by each. */
  get size(): number {
    return this.tiered.reduce((sum, { layer }) => sum + layer.size, this.recent?.size ?? 0)
  }

  /** Older ones first. */
  layers(): Array<ChangeLayer> {
    const layers: Array<ChangeLayer> = this.tiered.map(({ layer }) => layer)
    if (this.recent !== undefined) layers.push(this.recent)
    return layers
  }

  /** Puts units, in code order, on top of all layers. They are all in the newest layer then. */
  add(units: ReadonlyArray<ChangedUnit>): void {
    const together = this.recent === undefined ? units : mergeRecent(this.recent.units, units)
    const isFull = together.length > mostRecent
    this.recent = isFull ? undefined : new RecentLayer(together)
    if (isFull) this.push(columnsOf(together))
  }

  /** Puts a layer of units on top of all others, unless there are recent ones. */
  push(units: ChangedUnits): void {
    let together = units
    let tier = tierOf(units.codes.length)
    for (let of = this.countUpTo(tier); of + 1 >= layersTogether; of = this.countUpTo(++tier)) {
      const older = this.tiered.splice(this.tiered.length - of).map(({ layer }) => layer.changed)
      together = [...older, together].reduce(mergeChanges)
    }
    this.tiered.push({ layer: new TierLayer(together), tier })
  }

  /** How many of the newest layers are no larger than a tier. */
  private countUpTo(tier: number): number {
    let count = 0
    while (count < this.tiered.length && (this.tiered.at(-1 - count) as Tiered).tier <= tier) count++
    return count
  }
}

/** How many units the list of the most recent changes holds. */
const mostRecent = 64
/** How many layers of one size are made into one. */
const layersTogether = 4

const tierOf = (units: number): number =>
  Math.max(0, Math.floor(Math.log(units / mostRecent) / Math.log(layersTogether)))
