/**
 * The layers of changes, a log-structured merge: changes go to the recent layer, which joins the tiers when it is full.
 * Layers of similar size are merged, so a unit is copied once per size, and there are never many layers to search.
 */
import { type ChangedUnits, ChangeLayer, mergeChanges } from "./Layer.ts"

interface Tiered {
  readonly layer: ChangeLayer
  /** Size class: each tier has `mergeFactor` times the units of the one before it. */
  readonly tier: number
}

export class ChangeTiers {
  private recent: ChangeLayer | undefined
  /** Oldest first. */
  private readonly tiered: Array<Tiered> = []

  /** Number of units in all layers; a unit in several layers is counted in each. */
  get size(): number {
    return this.tiered.reduce((sum, { layer }) => sum + layer.size, this.recent?.size ?? 0)
  }

  /** Oldest first. */
  layers(): Array<ChangeLayer> {
    const layers: Array<ChangeLayer> = this.tiered.map(({ layer }) => layer)
    if (this.recent !== undefined) layers.push(this.recent)
    return layers
  }

  /** Adds units on top of all layers, as the newest layer. */
  add(units: ChangedUnits): void {
    const together = this.recent === undefined ? units : mergeChanges(this.recent.changed, units)
    const isFull = together.codes.length > maxRecent
    this.recent = isFull ? undefined : new ChangeLayer(together)
    if (isFull) this.push(together)
  }

  /** Puts a layer of units on top of all others. */
  private push(units: ChangedUnits): void {
    let together = units
    let tier = tierOf(units.codes.length)
    for (let of = this.countUpTo(tier); of + 1 >= mergeFactor; of = this.countUpTo(++tier)) {
      const older = this.tiered.slice(-of).map(({ layer }) => layer.changed)
      if (older.reduce((sum, { codes }) => sum + codes.length, together.codes.length) > maxUnits) break
      this.tiered.length -= of
      together = [...older, together].reduce(mergeChanges)
    }
    this.tiered.push({ layer: new ChangeLayer(together), tier })
  }

  /** Number of the newest layers that are not above a tier. */
  private countUpTo(tier: number): number {
    let count = 0
    while (count < this.tiered.length && (this.tiered.at(-1 - count) as Tiered).tier <= tier) count++
    return count
  }
}

/** Capacity of the recent layer, in units. */
const maxRecent = 64
/** Number of layers of one size that are merged. */
const mergeFactor = 4
/** Layers are not merged beyond this size: indexing the locations of more units takes longer than searches may wait. */
const maxUnits = 16_384

const tierOf = (units: number): number => Math.max(0, Math.floor(Math.log(units / maxRecent) / Math.log(mergeFactor)))
