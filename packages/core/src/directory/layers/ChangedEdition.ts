/** An edition, the log of its changes, and what they do to its branches. */
import { absent, active, retired } from "../codes/AreaUnits.ts"
import { CodeIndex } from "../codes/CodeIndex.ts"
import { findPacked, isActiveId } from "../codes/TreeIndex.ts"
import { Directory, type DirectoryContents } from "../Directory.ts"
import type { NameTable } from "../places/NameTable.ts"
import { hideUnit, withOwnVisibility } from "../space/SpatialIndex.ts"
import { noOverlay } from "./BranchOverlay.ts"
import { ChangeLog } from "./ChangeLog.ts"
import { ChangeLayer } from "./Layer.ts"
import { overlayAfter } from "./overlayAfter.ts"
import { partOf, type UnitStates } from "./UnitStates.ts"

export class ChangedEdition {
  /** The edition, as it was given. */
  readonly contents: DirectoryContents
  /** The same, with separate visibility bits. */
  private readonly base: DirectoryContents
  private readonly names: NameTable
  private readonly log: ChangeLog
  private overlay = noOverlay

  /** @param directory without changes */
  constructor(directory: Directory) {
    const { codes, contents, names } = directory
    const spatial = withOwnVisibility(contents.spatial)
    this.contents = contents
    this.base = { ...contents, spatial }
    this.names = names
    this.log = new ChangeLog((code) => {
      const id = findPacked(codes.index, code)
      if (id < 0) return absent
      hideUnit(spatial, id)
      return isActiveId(codes.index, id) ? active : retired
    })
  }

  /** Number of states that were put on the edition; a unit may have several. */
  get size(): number {
    return this.log.length
  }

  put(states: UnitStates): void {
    const touched = this.log.append(states)
    this.overlay = overlayAfter(new CodeIndex(this.base.tree, [new ChangeLayer(this.log)], this.overlay), touched)
  }

  /** A copy of the states from `start` (inclusive) to `end` (exclusive). */
  states(start: number, end = this.size): UnitStates {
    return partOf(this.log.states, start, end)
  }

  /**
   * The immutable directory of all that was put so far.
   *
   * @param changes number of changes since the publisher's edition
   * @param addresses the index of changed addresses
   */
  directory(changes: number, addresses: Directory | undefined): Directory {
    const { base, contents, log, names, overlay } = this
    // Its visibility bits stay as they are when the next states hide units.
    if (log.length === 0) return new Directory({ ...contents, changes }, { layers: [], names, addresses })
    return new Directory({ ...base, changes }, { layers: [new ChangeLayer(log)], names, overlay, addresses })
  }
}
