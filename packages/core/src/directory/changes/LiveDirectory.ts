/**
 * A directory that changes while it is searched. Changes are layers on top of the edition: `current` is always an
 * immutable directory, and each batch of changes replaces it in one step.
 *
 * Layers are in tiers by size, so that a change is cheap. When they have many units, `merge` folds them into the
 * edition asynchronously, while changes continue.
 */

import { active } from "../codes/AreaUnits.ts"
import { CodeIndex } from "../codes/CodeIndex.ts"
import { treeSize } from "../codes/SegmentTree.ts"
import { findPacked } from "../codes/TreeIndex.ts"
import { Directory, type DirectoryContents } from "../Directory.ts"
import { hideUnit, unitCount, withOwnVisibility } from "../space/SpatialIndex.ts"
import { noOverlay } from "./BranchOverlay.ts"
import { type ChangeFilter, emptyFilter } from "./ChangeFilter.ts"
import { ChangeTiers } from "./ChangeTiers.ts"
import { type DecidedChange, decideChanges } from "./decideChanges.ts"
import { addAllToFilter, type ChangedUnits, type ChangeLayer, mergeChanges } from "./Layer.ts"
import { overlayAfter } from "./overlayAfter.ts"
import { StagedUnits } from "./StagedUnits.ts"
import type { ChangeFault, UnitChange } from "./UnitChange.ts"
import { unitStateIn } from "./unitStateIn.ts"

export type { ChangeFault, UnitChange } from "./UnitChange.ts"

/** When and how changes are merged. */
export interface LiveDirectoryOptions {
  /**
   * Folds a directory with changes into content without, in another thread: `mergeInWorker` of `@postcode/node`.
   * Without it changes stay in layers, and searches become slower as they grow.
   */
  readonly merge?: (directory: Directory) => Promise<DirectoryContents>
  /** Number of changed units that starts a merge; by default 1 % of all units, and at least 20,000. */
  readonly mergeAt?: number
  /**
   * Called after a failed merge; must not throw. No change is lost: it is retried after another half of `mergeAt`
   * changes.
   */
  readonly onMergeFailed?: (error: unknown) => void
}

/** All changes were applied, or none because of the faults. */
export type ApplyResult =
  | {
      readonly ok: true
      /** The new directory. */
      readonly directory: Directory
      /** Number of changes with an effect; the others were already applied. */
      readonly applied: number
    }
  | { readonly ok: false; readonly faults: ReadonlyArray<ChangeFault> }

/** The applied changes, or none if the directory was replaced. */
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
  /** The edition below all changes. It has separate visibility bits once there is a change. */
  private base: DirectoryContents
  private ownsBase = false
  private bitsOf: { current: Directory | undefined } = { current: undefined }
  /** The layers that the current merge folds, oldest first. Newer changes go to other layers. */
  private merging: ReadonlyArray<ChangeLayer> = []
  private tiers = new ChangeTiers()
  /** Of all units in layers of changes. */
  private filter: ChangeFilter = emptyFilter(0)
  private overlay = noOverlay
  /** Remaining capacity of the filter in units. */
  private filterCapacity = 0
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

  /** The current directory. It is immutable: keep it for the whole of a request. */
  get current(): Directory {
    return this.directory
  }

  /**
   * Applies changes in order, all or none, in one step. Changes are idempotent, so that events may be delivered twice:
   * retiring a retired unit, reactivating an active one, moving a unit to its location, and adding an existing unit
   * with the same location and status succeed.
   */
  apply(changes: ReadonlyArray<UnitChange>): ApplyResult {
    const decision = decideChanges(
      (postcode) => unitStateIn(this.directory, postcode, {}),
      changes.map(withoutAttributes)
    )
    if (!decision.ok) return decision
    this.put(decision.changes)
    const { directory } = this
    if (changes.length > 0) this.tell({ directory, changes })
    return { ok: true, directory, applied: decision.changes.length }
  }

  /** Applies changes that were decided on the current state, in one step. Their attributes are ignored. */
  advance(changes: ReadonlyArray<DecidedChange>): void {
    this.put(changes)
  }

  /** Replaces the directory, for example by a new edition, and drops all changes. */
  replace(directory: Directory): void {
    this.restart(withoutChanges(directory))
    this.tell({ directory: this.directory, changes: undefined })
  }

  /**
   * Calls back after each batch of changes and each replacement, when `current` is already new. Returns the unsubscribe
   * function. Errors of followers are thrown by `apply` and `replace` after all followers were called.
   */
  follow(follower: (update: LiveUpdate) => void): () => void {
    this.followers.add(follower)
    return () => this.followers.delete(follower)
  }

  /** Resolves when no merge is running. */
  async settled(): Promise<void> {
    while (this.merge !== undefined) await this.merge
  }

  private put(changes: ReadonlyArray<DecidedChange>): void {
    if (changes.length === 0) return
    const staged = new StagedUnits(
      this.directory,
      changes.map(({ unit }) => unit)
    )
    this.beginSwitch()
    const units = staged.columns()
    this.tiers.add(units)
    this.addToFilter(units)
    // Units in the newest layer need no hiding.
    staged.hideIn([this.base, ...this.changeLayers().slice(0, -1)])
    this.updateOverlay(codesOfChangedActivity(units))
    this.endSwitch(this.directory.changes + changes.length)
    this.mergeIfDue()
  }

  /** A merge takes time proportional to the edition, so larger editions wait for more changes. */
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
    this.filterCapacity = 0
    this.overlay = noOverlay
    this.nextMergeAt = this.mergeAt()
  }

  /** Until `endSwitch`, the bits of the layers are exact for no directory. */
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

  private addToFilter(units: ChangedUnits): void {
    this.filterCapacity -= units.codes.length
    if (this.filterCapacity < 0) this.renewFilter()
    else addAllToFilter(this.filter, units)
  }

  /** A filter of the units in all layers, with the same capacity again. */
  private renewFilter(): void {
    const layers = this.changeLayers()
    const units = layers.reduce((sum, { size }) => sum + size, 0)
    this.filterCapacity = Math.max(leastFilterRoom, units)
    this.filter = emptyFilter(units + this.filterCapacity)
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
      // Replaced in the meantime: the merged edition is no longer current.
      if (this.merging === merging) this.takeMerged(checkMerged(contents, of))
    } catch (error) {
      if (this.merging === merging) this.giveUpMerge()
      this.options.onMergeFailed?.(error)
    } finally {
      this.merge = undefined
    }
    this.mergeIfDue()
  }

  /** Puts merged content below the changes that were applied in the meantime. */
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

  /** Returns the layers of a failed merge to the tiers. */
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

/** Attributes are stored elsewhere, so changing them has no effect here. Changes are untrusted input. */
const withoutAttributes = (change: UnitChange): UnitChange => {
  const { attributes } = (change ?? {}) as { readonly attributes?: unknown }
  return attributes === undefined ? change : ({ ...change, attributes: {} } as UnitChange)
}

/** The codes of the units that became active, or no longer are. */
const codesOfChangedActivity = ({ codes, statuses, statusesBelow }: ChangedUnits): Float64Array =>
  codes.filter((_, at) => (statuses[at] === active) !== (statusesBelow[at] === active))

const withoutChanges = (directory: Directory): Directory =>
  directory.layers.length === 1 ? directory : new Directory(directory.contents)

const checkMerged = (contents: DirectoryContents, of: Directory): DirectoryContents => {
  const units = treeSize(contents.tree)
  if (units === of.size && unitCount(contents.spatial) === of.size && contents.changes === of.changes) return contents
  const found = `${units} units after ${contents.changes} changes`
  throw new Error(`the merge returned ${found}; expected ${of.size} after ${of.changes}`)
}
