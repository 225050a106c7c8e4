/**
 * A directory that changes while it is searched. Changes are layers on top of the edition: `current` is always an
 * immutable directory, and each batch of changes replaces it in one step.
 *
 * Layers are in tiers by size, so that a change is cheap. When they have many units, `merge` folds them into the
 * edition asynchronously, while changes continue.
 */

import { type DecidedChange, decideChanges } from "../changes/decideChanges.ts"
import type { ChangeFault, UnitChange } from "../changes/UnitChange.ts"
import { unitStateIn } from "../changes/unitStateIn.ts"
import { treeSize } from "../codes/SegmentTree.ts"
import { Directory, type DirectoryContents } from "../Directory.ts"
import { unitCount } from "../space/SpatialIndex.ts"
import type { ChangedUnits } from "./Layer.ts"
import { LayerStack } from "./LayerStack.ts"
import { partsOf, type UnitStates, unitStatesOf } from "./UnitStates.ts"

export type { ChangeFault, UnitChange } from "../changes/UnitChange.ts"

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
  /**
   * Lets other work run: called after each `maxStep` units while the changes of the meantime are put on a merged
   * edition. Without it, all are in one step.
   */
  readonly pause?: () => Promise<unknown>
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

/** A directory as an edition and the layers on top of it, oldest first: plain data that other threads can get. */
export interface DirectoryLayers {
  readonly edition: DirectoryContents
  readonly changed: ReadonlyArray<ChangedUnits>
  /** Number of changes since the publisher's edition. */
  readonly changes: number
  /** Of `setAddresses`. */
  readonly addresses: DirectoryContents | undefined
}

/** Layers, and the edition that they are of: where a follower begins. */
export interface OpenedDirectory {
  readonly layers: DirectoryLayers
  /** The number of the edition in its store; undefined if it comes from files. */
  readonly edition: number | undefined
  /** When the edition became current, ISO 8601, UTC; undefined if unknown. */
  readonly since: string | undefined
}

/** What a follower does to have the current directory again: plain data that other threads can get. */
export type DirectoryUpdate =
  /** Another edition is current. A `LiveDirectory` is of one edition, so this comes from what opens them. */
  | { readonly _tag: "Opened"; readonly directory: OpenedDirectory }
  /** Some units are in another state, in order, and the number of changes is now this one. */
  | { readonly _tag: "Changed"; readonly states: ReadonlyArray<UnitStates>; readonly changes: number }
  /** Changes were merged into the edition: these layers are all that there is now. */
  | { readonly _tag: "Merged"; readonly layers: DirectoryLayers }
  /** The addresses of changed units were indexed. */
  | { readonly _tag: "Indexed"; readonly addresses: DirectoryContents }

/** The number of units that takes a few milliseconds to put on a directory. */
export const maxStep = 512

/**
 * A directory and its changes: `current` is immutable, and each batch of changes replaces it in one step.
 *
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
  private readonly followers = new Set<(update: DirectoryUpdate) => void>()
  private stack: LayerStack
  private shown: Directory
  /** What was staged since `current`. */
  private staged: Array<UnitStates> = []
  /** What was staged since the beginning of the current merge. */
  private sinceMerge: Array<UnitStates> = []
  private merge: Promise<void> | undefined
  /** Whether the merged edition is below what is being staged, and not yet current. */
  private hasMerged = false
  private nextMergeAt: number

  /** @throws RangeError if `mergeAt` is not a positive integer */
  constructor(directory: Directory, options: LiveDirectoryOptions = {}) {
    const { mergeAt } = options
    if (mergeAt !== undefined && !(Number.isInteger(mergeAt) && mergeAt > 0)) {
      throw new RangeError("mergeAt: expected a positive integer")
    }
    this.options = options
    this.shown = withoutChanges(directory)
    this.stack = new LayerStack(this.shown)
    this.nextMergeAt = this.mergeAt()
  }

  /** The current directory. It is immutable: keep it for the whole of a request. */
  get current(): Directory {
    return this.shown
  }

  /** The current directory in layers. */
  get layers(): DirectoryLayers {
    const { changedAddresses, changes } = this.shown
    const [, ...layers] = this.shown.layers
    const { edition } = this.stack
    return { edition, changed: layers.map(({ changed }) => changed), changes, addresses: changedAddresses?.contents }
  }

  /**
   * Applies changes in order, all or none, in one step. Changes are idempotent, so that events may be delivered twice:
   * retiring a retired unit, reactivating an active one, moving a unit to its location, and adding an existing unit
   * with the same location and status succeed.
   */
  apply(changes: ReadonlyArray<UnitChange>): ApplyResult {
    const decision = decideChanges((postcode) => unitStateIn(this.shown, postcode, {}), changes.map(withoutAttributes))
    if (!decision.ok) return decision
    const applied = decision.changes.length
    this.stageChanges(decision.changes)
    this.show(this.shown.changes + applied)
    return { ok: true, directory: this.shown, applied }
  }

  /** Applies changes that were decided on the current state, in one step. Their attributes are ignored. */
  advance(changes: ReadonlyArray<DecidedChange>): void {
    this.stageChanges(changes)
    this.show(this.shown.changes + changes.length)
  }

  /**
   * Puts states that were decided elsewhere on the directory, at most `maxStep` in one step. They are current once
   * `show` is called; so many steps can be one batch.
   */
  stage(states: UnitStates): void {
    this.stack.put(states)
    this.staged.push(states)
    if (this.merge !== undefined) this.sinceMerge.push(states)
  }

  /**
   * Makes all that was staged current.
   *
   * @param changes number of changes since the publisher's edition. Changes of attributes alone only raise it
   */
  show(changes: number): void {
    if (this.staged.length === 0 && changes === this.shown.changes) return
    const { hasMerged, staged: states } = this
    this.shown = this.stack.directory(changes, this.shown.changedAddresses)
    this.staged = []
    this.hasMerged = false
    this.mergeIfDue()
    this.tell(hasMerged ? { _tag: "Merged", layers: this.layers } : { _tag: "Changed", states, changes })
  }

  /** Takes over an index of the addresses of changed units, see `ChangedAddresses`. */
  setAddresses(addresses: Directory): void {
    this.shown = this.shown.withChangedAddresses(addresses)
    this.tell({ _tag: "Indexed", addresses: addresses.contents })
  }

  /**
   * Calls back with each update, when `current` is already new. Returns the unsubscribe function. Errors of followers are
   * thrown by the method that updates, after all followers were called.
   */
  follow(follower: (update: DirectoryUpdate) => void): () => void {
    this.followers.add(follower)
    return () => this.followers.delete(follower)
  }

  /** Resolves when no merge is running. */
  async settled(): Promise<void> {
    while (this.merge !== undefined) await this.merge
  }

  private stageChanges(changes: ReadonlyArray<DecidedChange>): void {
    if (changes.length > 0) this.stage(unitStatesOf(changes.map(({ unit }) => unit)))
  }

  /** A merge takes time proportional to the edition, so larger editions wait for more changes. */
  private mergeAt(): number {
    return this.options.mergeAt ?? Math.max(20_000, Math.ceil(this.shown.size / 100))
  }

  private mergeIfDue(): void {
    const { merge } = this.options
    if (merge === undefined || this.merge !== undefined || this.stack.size < this.nextMergeAt) return
    this.merge = this.runMerge(merge, this.shown)
  }

  private async runMerge(merge: (directory: Directory) => Promise<DirectoryContents>, of: Directory): Promise<void> {
    this.sinceMerge = []
    try {
      const contents = checkMerged(await Promise.resolve(of).then(merge), of)
      await this.takeMerged(new Directory(contents, { layers: [], names: of.names }), this.sinceMerge)
    } catch (error) {
      this.nextMergeAt = this.stack.size + Math.ceil(this.mergeAt() / 2)
      this.options.onMergeFailed?.(error)
    } finally {
      this.sinceMerge = []
      this.merge = undefined
    }
    if (this.staged.length === 0) this.mergeIfDue()
  }

  /** Puts what was staged in the meantime on the merged edition, in steps, and switches to that. */
  private async takeMerged(merged: Directory, since: ReadonlyArray<UnitStates>): Promise<void> {
    const { pause } = this.options
    const stack = new LayerStack(merged)
    for (let at = 0; at < since.length; at++) {
      for (const part of partsOf(since[at] as UnitStates, maxStep)) {
        stack.put(part)
        if (pause !== undefined) await pause()
      }
    }
    this.stack = stack
    this.nextMergeAt = this.mergeAt()
    // What is being staged is not shown before its end.
    this.hasMerged = this.staged.length > 0
    if (this.hasMerged) return
    this.shown = stack.directory(this.shown.changes, this.shown.changedAddresses)
    this.tell({ _tag: "Merged", layers: this.layers })
  }

  private tell(update: DirectoryUpdate): void {
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

/** Attributes are stored elsewhere, so changing them has no effect here. Changes are untrusted input. */
const withoutAttributes = (change: UnitChange): UnitChange => {
  const { attributes } = (change ?? {}) as { readonly attributes?: unknown }
  return attributes === undefined ? change : ({ ...change, attributes: {} } as UnitChange)
}

const withoutChanges = (directory: Directory): Directory =>
  directory.layers.length === 1 ? directory : new Directory(directory.contents)

const checkMerged = (contents: DirectoryContents, of: Directory): DirectoryContents => {
  const units = treeSize(contents.tree)
  if (units === of.size && unitCount(contents.spatial) === of.size && contents.changes === of.changes) return contents
  const found = `${units} units after ${contents.changes} changes`
  throw new Error(`the merge returned ${found}; expected ${of.size} after ${of.changes}`)
}
