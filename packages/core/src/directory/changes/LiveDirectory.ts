/**
 * A directory that changes while it is searched. What it changes are layers on top of the edition: `current` is always a
 * whole directory that never changes, and each batch of changes switches to another one in a single step.
 *
 * Layers of changes are kept in tiers by size, so that a change costs little. When they hold many units together, `merge`
 * folds them into the edition, aside, while changes go on.
 */

import { active } from "../codes/AreaUnits.ts"
import { CodeIndex } from "../codes/CodeIndex.ts"
import { treeSize } from "../codes/SegmentTree.ts"
import { findPacked } from "../codes/TreeIndex.ts"
import { Directory, type DirectoryContents } from "../Directory.ts"
import { hideUnit, unitCount, withOwnVisibility } from "../space/SpatialIndex.ts"
import { noOverlay } from "./BranchOverlay.ts"
import { ChangeBatch } from "./ChangeBatch.ts"
import { addToFilter, type ChangeFilter, emptyFilter } from "./ChangeFilter.ts"
import { ChangeTiers } from "./ChangeTiers.ts"
import { addAllToFilter, type ChangedUnit, type ChangeLayer, mergeChanges } from "./Layer.ts"
import { overlayAfter } from "./overlayAfter.ts"
import type { ChangeFault, UnitChange } from "./UnitChange.ts"

export type { ChangeFault, UnitChange } from "./UnitChange.ts"

/** When changes are merged, and by whom. */
export interface LiveDirectoryOptions {
  /**
   * Folds a directory with changes into contents without, somewhere aside: `mergeInWorker` of `@postcode/node`. Without
   * it changes stay in layers, and searches become slower as they grow.
   */
  readonly merge?: (directory: Directory) => Promise<DirectoryContents>
  /** How many changed units call for a merge; unless said, one in a hundred of all units, and at least 20,000. */
  readonly mergeAt?: number
  /**
   * Told of a merge that failed; must not throw. Nothing is lost: it is tried again once half of `mergeAt` more have
   * changed.
   */
  readonly onMergeFailed?: (error: unknown) => void
}

/** What changes came to: all of them were made, or none, because of the faults. */
export type ApplyResult =
  | {
      readonly ok: true
      /** The directory from now on. */
      readonly directory: Directory
      /** How many changes changed something. The others repeated what was so already. */
      readonly applied: number
    }
  | { readonly ok: false; readonly faults: ReadonlyArray<ChangeFault> }

/** What is told to those who follow a live directory: the changes that were applied, or none if all was replaced. */
export interface LiveUpdate {
  readonly directory: Directory
  readonly changes: ReadonlyArray<UnitChange> | undefined
}

/**
 * ```ts
 * const live = new LiveDirectory(directory)
 * const before = live.current
 * live.apply([{ change: "retire", postcode }])
 * live.current.status(postcode) // "retired"
 * before.status(postcode) // "active", as ever
 * ```
 */
export class LiveDirectory {
  private readonly options: LiveDirectoryOptions
  private readonly followers = new Set<(update: LiveUpdate) => void>()
  private directory: Directory
  /** The edition below all changes. It has visibility bits of its own as soon as there is a change. */
  private base: DirectoryContents
  private ownsBase = false
  private bitsOf: { current: Directory | undefined } = { current: undefined }
  /** The layers that a merge under way folds, older ones first. Newer changes go into other layers. */
  private merging: ReadonlyArray<ChangeLayer> = []
  private tiers = new ChangeTiers()
  /** Of all units in layers of changes. */
  private filter: ChangeFilter = emptyFilter(0)
  private overlay = noOverlay
  /** How many more units the filter has room for. */
  private filterRoom = 0
  private merge: Promise<void> | undefined
  private nextMergeAt: number

  /** @throws RangeError if `mergeAt` is not a positive integer */
  constructor(directory: Directory, options: LiveDirectoryOptions = {}) {
    const { mergeAt } = options
    if (mergeAt !== undefined && !(Number.isInteger(mergeAt) && mergeAt > 0)) {
      throw new RangeError("mergeAt: expected a positive integer")
    }
    this.options = options
    this.directory = withoutChanges(directory)
    this.base = this.directory.contents
    this.nextMergeAt = this.mergeAt()
  }

  /** The directory as it is now. It never changes: keep it as long as an answer has to be of one piece. */
  get current(): Directory {
    return this.directory
  }

  /**
   * Applies changes in their order, all or none, in one step. One that is so already is no fault, so that events may
   * come twice: retiring a retired unit, reactivating an active one, moving a unit to where it is, adding one that is
   * there in the same place and of the same status.
   */
  apply(changes: ReadonlyArray<UnitChange>): ApplyResult {
    const batch = new ChangeBatch(this.directory)
    const faults: Array<ChangeFault> = []
    for (const [index, change] of changes.entries()) {
      const reason = batch.take(change)
      if (reason !== undefined) faults.push({ index, reason })
    }
    if (faults.length > 0) return { ok: false, faults }
    if (batch.effective > 0) {
      this.beginSwitch()
      const units = batch.units()
      this.tiers.add(units)
      this.addToFilter(units)
      // What the newest layer took in needs no hiding.
      batch.hideIn([this.base, ...this.changeLayers().slice(0, -1)])
      this.updateOverlay(units.filter(changesActivity).map(({ code }) => code))
      this.endSwitch(this.directory.changes + batch.effective)
      this.mergeIfDue()
    }
    const { directory } = this
    if (changes.length > 0) this.tell({ directory, changes })
    return { ok: true, directory, applied: batch.effective }
  }

  /** Puts another directory in force, such as a new edition, and forgets all changes. */
  replace(directory: Directory): void {
    this.restart(withoutChanges(directory))
    this.tell({ directory: this.directory, changes: undefined })
  }

  /**
   * Calls back after each change that was applied and after each replacement, when `current` has switched already.
   * Returns what ends it. What a follower throws, `apply` and `replace` throw, once all followers were told.
   */
  follow(follower: (update: LiveUpdate) => void): () => void {
    this.followers.add(follower)
    return () => this.followers.delete(follower)
  }

  /** Resolves when no merge is under way. */
  async settled(): Promise<void> {
    while (this.merge !== undefined) await this.merge
  }

  /** A merge costs as much as the edition is large, so larger ones wait for more changes. */
  private mergeAt(): number {
    return this.options.mergeAt ?? Math.max(20_000, Math.ceil(this.directory.size / 100))
  }

  private restart(directory: Directory): void {
    this.directory = directory
    this.base = directory.contents
    this.ownsBase = false
    // The bits of the directory before, which must not be kept alive.
    this.bitsOf = { current: undefined }
    this.merging = []
    this.tiers = new ChangeTiers()
    this.filterRoom = 0
    this.overlay = noOverlay
    this.nextMergeAt = this.mergeAt()
  }

  /** From here to `endSwitch` the bits of the layers are exact for no directory. */
  private beginSwitch(): void {
    this.bitsOf.current = undefined
    if (this.ownsBase) return
    this.base = { ...this.base, spatial: withOwnVisibility(this.base.spatial) }
    this.ownsBase = true
  }

  private endSwitch(changes: number): void {
    const { bitsOf, filter, overlay } = this
    const { names } = this.directory
    const layers = this.changeLayers()
    this.directory = new Directory({ ...this.base, changes }, { layers, names, filter, overlay, bitsOf })
    bitsOf.current = this.directory
  }

  private changeLayers(): Array<ChangeLayer> {
    return [...this.merging, ...this.tiers.layers()]
  }

  private updateOverlay(touched: Iterable<number>): void {
    this.overlay = overlayAfter(new CodeIndex(this.base.tree, this.changeLayers(), this.filter, this.overlay), touched)
  }

  private addToFilter(units: ReadonlyArray<ChangedUnit>): void {
    this.filterRoom -= units.length
    if (this.filterRoom < 0) this.renewFilter()
    else for (const { code, lat_e7, lon_e7 } of units) addToFilter(this.filter, code, lat_e7, lon_e7)
  }

  /** A filter of the units that all layers hold now, with room for as many again. */
  private renewFilter(): void {
    const layers = this.changeLayers()
    const units = layers.reduce((sum, { size }) => sum + size, 0)
    this.filterRoom = Math.max(leastFilterRoom, units)
    this.filter = emptyFilter(units + this.filterRoom)
    for (const { changed } of layers) addAllToFilter(this.filter, changed)
  }

  private mergeIfDue(): void {
    const { merge } = this.options
    if (merge === undefined || this.merge !== undefined || this.tiers.size < this.nextMergeAt) return
    this.merging = this.tiers.layers()
    this.tiers = new ChangeTiers()
    this.merge = this.runMerge(merge, this.directory)
  }

  private async runMerge(merge: (directory: Directory) => Promise<DirectoryContents>, of: Directory): Promise<void> {
    const { merging } = this
    try {
      const contents = await Promise.resolve(of).then(merge)
      // Replaced meanwhile: what was merged is no longer in force.
      if (this.merging === merging) this.takeMerged(checkMerged(contents, of))
    } catch (error) {
      if (this.merging === merging) this.giveUpMerge()
      this.options.onMergeFailed?.(error)
    } finally {
      this.merge = undefined
    }
    this.mergeIfDue()
  }

  /** Puts merged contents below the changes that came meanwhile. */
  private takeMerged(contents: DirectoryContents): void {
    const { changes } = this.directory
    const { tiers } = this
    const later = tiers.layers()
    this.restart(new Directory(contents, { layers: [], names: this.directory.names }))
    if (later.length === 0) return
    this.tiers = tiers
    this.beginSwitch()
    this.renewFilter()
    for (const { changed } of later) {
      for (const code of changed.codes) {
        const id = findPacked(this.directory.codes.index, code)
        if (id >= 0) hideUnit(this.base.spatial, id)
      }
      this.updateOverlay(changed.codes)
    }
    this.endSwitch(changes)
  }

  /** Takes the layers of a merge that failed back among the tiers. */
  private giveUpMerge(): void {
    const units = this.changeLayers()
      .map(({ changed }) => changed)
      .reduce(mergeChanges)
    this.beginSwitch()
    this.merging = []
    this.tiers = new ChangeTiers()
    this.tiers.push(units)
    this.endSwitch(this.directory.changes)
    this.nextMergeAt = units.codes.length + Math.ceil(this.mergeAt() / 2)
  }

  private tell(update: LiveUpdate): void {
    const failures: Array<unknown> = []
    for (const follower of this.followers) {
      try {
        follower(update)
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }
}

const leastFilterRoom = 1024

const changesActivity = ({ status, statusBelow }: ChangedUnit): boolean =>
  (status === active) !== (statusBelow === active)

const withoutChanges = (directory: Directory): Directory =>
  directory.layers.length === 1 ? directory : new Directory(directory.contents)

const checkMerged = (contents: DirectoryContents, of: Directory): DirectoryContents => {
  const units = treeSize(contents.tree)
  if (units === of.size && unitCount(contents.spatial) === of.size && contents.changes === of.changes) return contents
  const found = `${units} units after ${contents.changes} changes`
  throw new Error(`the merge returned ${found}; expected ${of.size} after ${of.changes}`)
}
