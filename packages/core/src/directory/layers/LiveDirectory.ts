/**
 * A directory that changes while it is searched. Changes are appended to a log: `current` is always an immutable
 * directory, of the edition and a number of rows of the log, and each batch of changes replaces it in one step.
 *
 * When the log is long, `merge` folds it into the edition asynchronously, while changes continue.
 */

import { type DecidedChange, decideChanges } from "../changes/decideChanges.ts"
import type { ChangeFault, UnitChange } from "../changes/UnitChange.ts"
import { unitStateIn } from "../changes/unitStateIn.ts"
import { treeSize } from "../codes/SegmentTree.ts"
import { Directory, type DirectoryContents } from "../Directory.ts"
import { unitCount } from "../space/SpatialIndex.ts"
import { ChangedEdition } from "./ChangedEdition.ts"
import { type UnitStates, unitStatesOf } from "./UnitStates.ts"

export type { ChangeFault, UnitChange } from "../changes/UnitChange.ts"

/** When and how changes are merged. */
export interface LiveDirectoryOptions {
  /**
   * Folds a directory with changes into content without, in another thread: `mergeInWorker` of `@postcode/node`.
   * Without it the log grows with each change.
   */
  readonly merge?: (directory: Directory) => Promise<DirectoryContents>
  /** Number of states in the log that starts a merge; by default 1 % of all units, and at least 20,000. */
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
  private changed: ChangedEdition
  private shown: Directory
  /** Number of states in `changed` that `current` has. */
  private shownStates = 0
  private merge: Promise<void> | undefined
  /** A merged edition with all changes. It is current once no batch is staged in part. */
  private merged: ChangedEdition | undefined
  private nextMergeAt: number

  /** @throws RangeError if `mergeAt` is not a positive integer */
  constructor(directory: Directory, options: LiveDirectoryOptions = {}) {
    const { mergeAt } = options
    if (mergeAt !== undefined && !(Number.isInteger(mergeAt) && mergeAt > 0)) {
      throw new RangeError("mergeAt: expected a positive integer")
    }
    this.options = options
    this.shown = withoutChanges(directory)
    this.changed = new ChangedEdition(this.shown)
    this.nextMergeAt = this.mergeAt()
  }

  /** The current directory. It is immutable: keep it for the whole of a request. */
  get current(): Directory {
    return this.shown
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
    this.changed.put(states)
    this.merged?.put(states)
  }

  /**
   * Makes all that was staged current.
   *
   * @param changes number of changes since the publisher's edition. Changes of attributes alone only raise it
   */
  show(changes: number): void {
    if (!this.hasStaged && changes === this.shown.changes) return
    this.showAll(changes)
    this.switchToMerged()
    this.mergeIfDue()
  }

  /** Takes over an index of the addresses of changed units, see `ChangedAddresses`. */
  setAddresses(addresses: Directory): void {
    this.shown = this.shown.withChangedAddresses(addresses)
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

  private get hasStaged(): boolean {
    return this.changed.size > this.shownStates
  }

  private showAll(changes: number): void {
    this.shown = this.changed.directory(changes, this.shown.changedAddresses)
    this.shownStates = this.changed.size
  }

  private mergeIfDue(): void {
    const { merge } = this.options
    if (merge === undefined || this.merge !== undefined || this.changed.size < this.nextMergeAt) return
    this.merge = this.runMerge(merge, this.shown, this.shownStates)
  }

  /** @param states number of states in the directory that is merged */
  private async runMerge(
    merge: (directory: Directory) => Promise<DirectoryContents>,
    of: Directory,
    states: number
  ): Promise<void> {
    try {
      const contents = checkMerged(await Promise.resolve(of).then(merge), of)
      await this.takeMerged(new Directory(contents, { layers: [], names: of.names }), states)
    } catch (error) {
      this.nextMergeAt = this.changed.size + Math.ceil(this.mergeAt() / 2)
      this.options.onMergeFailed?.(error)
    } finally {
      this.merge = undefined
    }
    if (!this.hasStaged) this.mergeIfDue()
  }

  /** Puts what was staged in the meantime on the merged edition, in steps, and switches to that. */
  private async takeMerged(directory: Directory, states: number): Promise<void> {
    const { pause } = this.options
    const merged = new ChangedEdition(directory)
    for (let at = states; at < this.changed.size; at = states + merged.size) {
      merged.put(this.changed.states(at, Math.min(at + maxStep, this.changed.size)))
      if (pause !== undefined) await pause()
    }
    this.merged = merged
    this.switchToMerged()
  }

  private switchToMerged(): void {
    if (this.merged === undefined || this.hasStaged) return
    this.changed = this.merged
    this.merged = undefined
    this.nextMergeAt = this.mergeAt()
    this.showAll(this.shown.changes)
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
