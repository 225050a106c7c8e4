/**
 * The national directory in memory: which units exist, which of them are active, where they are, and what states and
 * local government areas are called. It is immutable, made by `DirectoryBuilder`, and consists of typed arrays alone
 * (but for the names), about 9 bytes a unit: no object and no string for each.
 *
 * One that was changed since it was built (see `LiveDirectory`) has layers of changes on top of those arrays, and answers
 * as if it had been built of the present units. It is immutable, too: each step of changes makes another one.
 *
 * Ids name units for searches. They are for one directory only: a directory as it was built numbers its units from 0 in
 * the order of canonical postcodes; in one with changes they stand in no order.
 */

import type { Postcode } from "../postcode/Postcode.ts"
import { type Depth, segmentText, segmentValue } from "../postcode/SegmentValue.ts"
import type { BranchOverlay } from "./changes/BranchOverlay.ts"
import { aimAt, type ChangeFilter, mayHoldNear } from "./changes/ChangeFilter.ts"
import { foldLayers } from "./changes/foldLayers.ts"
import { BaseLayer, type ChangeLayer, type Layer } from "./changes/Layer.ts"
import { absent, active, retired } from "./codes/AreaUnits.ts"
import { aboveAllValues, childValue, enterChild, enterRoot, readChildren } from "./codes/Branch.ts"
import { CodeIndex, malformed } from "./codes/CodeIndex.ts"
import { type BranchCounts, countBranches } from "./codes/countBranches.ts"
import { type SegmentTree, treeSize } from "./codes/SegmentTree.ts"
import { makeNameTable, type NameTable, namesOf, placesOf } from "./NameTable.ts"
import type { NamedCode, Place, PlaceNames } from "./Place.ts"
import { openSnapshot } from "./snapshot/openSnapshot.ts"
import { type Coordinate, fromE7 } from "./space/Coordinate.ts"
import type { SpatialIndex } from "./space/SpatialIndex.ts"

export type { BranchCounts } from "./codes/countBranches.ts"

/** Whether a unit is in use, was once, or is not in the directory. */
export type UnitStatus = "active" | "retired" | "unknown"

/** The contents of a directory: what a snapshot has to hold, and all that one needs to open one. */
export interface DirectoryContents {
  readonly version: string
  readonly date: string
  /** How many changes were applied to that edition; 0 for one that is as it was published. */
  readonly changes: number
  /** In code order. */
  readonly places: ReadonlyArray<Place>
  readonly tree: SegmentTree
  readonly spatial: SpatialIndex
}

/** The layers of changes on top of the contents, older ones first. */
export interface Changes {
  readonly layers: ReadonlyArray<ChangeLayer>
  /** What they make of the branches. */
  readonly overlay?: BranchOverlay
  /** The names of the contents, if they were arranged before. */
  readonly names?: NameTable
  /** Lets through what may have to do with the layers; without it everything has. */
  readonly filter?: ChangeFilter
  /**
   * The directory that the `visible` bits of all layers are exact for, if there is one. To other directories that share
   * them a bit that is clear says nothing.
   */
  readonly bitsOf?: { current: Directory | undefined }
}

export class Directory {
  /** The number of units, retired ones included. */
  readonly size: number
  readonly activeSize: number
  /** Which edition of the national data this is, in the words of its publisher; empty if not said. */
  readonly version: string
  /** The day of that edition, `2026-01-31`; empty if not said. */
  readonly date: string
  /** How many changes were applied to that edition. */
  readonly changes: number
  /** The states and local government areas that have a name, in code order. */
  readonly places: ReadonlyArray<Place>
  /** The same, arranged for completion. */
  readonly names: NameTable
  /** The contents without the changes, then the layers of changes, older ones first. For searches. */
  readonly layers: readonly [BaseLayer, ...ReadonlyArray<ChangeLayer>]
  /** By layer: what is added to the ids in the layer. */
  readonly firstIds: ReadonlyArray<number>

  /** Compares two ids by their postcodes: negative if the first comes first. Undefined where ids themselves compare so. */
  readonly order: ((a: number, b: number) => number) | undefined

  /** The codes of all units, for completion. */
  readonly codes: CodeIndex

  private readonly base: DirectoryContents
  private readonly changed: Changes
  private folded: DirectoryContents | undefined
  private counted: BranchCounts | undefined

  /**
   * Opens a snapshot, as `snapshotPieces` makes one: as views over the bytes, without copying or parsing. The bytes must
   * not change as long as the directory is used. Whatever else they are, it ends with `InvalidSnapshot`.
   *
   * ```ts
   * const directory = Directory.open(await (await fetch("/nigeria.snapshot")).arrayBuffer())
   * ```
   *
   * @param options `verify: false` leaves the checksums of the sections aside, for bytes that were verified before
   * @throws InvalidSnapshot if they are no snapshot, one of a newer format, cut off, or altered; the message says which
   */
  static open(
    bytes: Uint8Array | ArrayBuffer | SharedArrayBuffer,
    options: { readonly verify?: boolean } = {}
  ): Directory {
    return new Directory(openSnapshot(bytes, options.verify ?? true))
  }

  constructor(contents: DirectoryContents, changes: Changes = noChanges) {
    const { spatial, tree } = contents
    this.base = contents
    this.changed = changes
    this.version = contents.version
    this.date = contents.date
    this.changes = contents.changes
    this.places = contents.places
    this.names = changes.names ?? makeNameTable(contents.places)
    this.size = treeSize(tree)
    this.activeSize = activeUnitsOf(tree)
    for (const layer of changes.layers) {
      this.size += layer.added
      this.activeSize += layer.activated
    }
    this.codes = new CodeIndex(tree, changes.layers, changes.filter, changes.overlay)
    this.layers = [new BaseLayer(this.codes.index, spatial), ...changes.layers]
    this.firstIds = this.codes.firstIds
    this.order = changes.layers.length === 0 ? undefined : (a, b) => this.compareIds(a, b)
  }

  /**
   * The arrays of the directory, for snapshots. Nothing may write to them. For a directory with changes they are made at
   * the first call, which takes as long as building anew; `mergeInWorker` of `@postcode/node` does it aside.
   */
  get contents(): DirectoryContents {
    if (this.changed.layers.length === 0) return this.base
    this.folded ??= {
      ...this.base,
      ...foldLayers(
        this.base,
        this.changed.layers.map(({ changed }) => changed)
      )
    }
    return this.folded
  }

  /** The unit's id, or −1 if the directory does not know the postcode. Retired units are found, too. */
  find(postcode: Postcode): number {
    return this.codes.find(postcode)
  }

  /**
   * `find` of this directory, as a function that keeps no more of it alive than the codes: for those that keep something
   * by unit id, and go on when the directory is gone.
   */
  finder(): (postcode: Postcode) => number {
    const codes = this.codes.detached()
    return (postcode) => codes.find(postcode)
  }

  /**
   * The status of the unit that a text names, in any format and either case, as `parse` reads it; `malformed` if it
   * names none. The quickest way from a text to the answer: it makes no other text.
   *
   * ```ts
   * directory.statusOf("la12a03bg07") // "active"
   * ```
   */
  statusOf(text: string): UnitStatus | "malformed" {
    return statuses[this.codes.statusOfText(text)] as UnitStatus | "malformed"
  }

  /** Whether a text, in any format and either case, is the postcode of an active unit. */
  has(text: string): boolean {
    return this.codes.statusOfText(text) === active
  }

  status(postcode: Postcode): UnitStatus {
    return statuses[this.codes.statusOf(postcode)] as UnitStatus
  }

  postcodeAt(id: number): Postcode {
    const at = this.layerOf(id)
    return this.layerAt(at).postcodeOf(id - this.firstIdAt(at))
  }

  coordinateAt(id: number): Coordinate {
    const at = this.layerOf(id)
    const layer = this.layerAt(at)
    const unit = id - this.firstIdAt(at)
    return { lat: fromE7(layer.latOf_e7(unit)), lon: fromE7(layer.lonOf_e7(unit)) }
  }

  isActive(id: number): boolean {
    const at = this.layerOf(id)
    return this.layerAt(at).isActive(id - this.firstIdAt(at))
  }

  /** The names of a postcode's state and local government area, whether or not the unit exists. */
  placeNames(postcode: Postcode): PlaceNames {
    return namesOf(this.names, postcode)
  }

  /** The states that hold an active unit, in code order. This and the three below it list only such branches. */
  states(): ReadonlyArray<NamedCode> {
    return this.listBelow([]) ?? []
  }

  /**
   * The local government areas of a state; undefined if no active unit has that state, or the code is malformed.
   *
   * ```ts
   * directory.lgas("LA") // [{ code: "01", name: "Agege" }, …]
   * ```
   */
  lgas(state: string): ReadonlyArray<NamedCode> | undefined {
    return this.listBelow([state])
  }

  districts(state: string, lga: string): ReadonlyArray<NamedCode> | undefined {
    return this.listBelow([state, lga])
  }

  areas(state: string, lga: string, district: string): ReadonlyArray<NamedCode> | undefined {
    return this.listBelow([state, lga, district])
  }

  /** How many of them there are in all. They are counted at the first call, in some milliseconds for a whole country. */
  branchCounts(): BranchCounts {
    this.counted ??= countBranches(this.codes)
    return this.counted
  }

  /**
   * For searches of a layer's spatial index: whether a unit that it does not call visible is to be found all the same;
   * undefined if none is. Its argument is the id in the layer.
   */
  acceptedIn(at: number): ((id: number) => boolean) | undefined {
    const { bitsOf, layers } = this.changed
    if (layers.length === 0 || bitsOf?.current === this) return undefined
    return (id) => this.isCurrent(at, id)
  }

  /** For searches: whether layers of changes may have a unit within so many metres. */
  mayHaveChangesNear(coordinate: Coordinate, radius_m: number): boolean {
    const { filter, layers } = this.changed
    if (layers.length === 0) return false
    aimAt(coordinate, radius_m)
    return filter === undefined || mayHoldNear(filter)
  }

  /** Whether a unit of a layer is active and no later layer supersedes it. */
  isCurrent(at: number, id: number): boolean {
    const layer = this.layerAt(at)
    if (!layer.isActive(id)) return false
    const { layers } = this.changed
    if (at === layers.length) return true
    const code = layer.codeOf(id)
    for (let above = at; above < layers.length; above++) {
      if ((layers[above] as ChangeLayer).find(code) >= 0) return false
    }
    return true
  }

  /** Compares two units by their postcodes: negative if the first comes first. */
  compareIds(a: number, b: number): number {
    const layer = this.layerOf(a)
    if (layer === this.layerOf(b)) return a - b
    return this.packedAt(a) - this.packedAt(b)
  }

  /** The layer that an id is of. */
  layerOf(id: number): number {
    return this.codes.layerOf(id)
  }

  private packedAt(id: number): number {
    const at = this.layerOf(id)
    return this.layerAt(at).codeOf(id - this.firstIdAt(at))
  }

  private listBelow(parents: ReadonlyArray<string>): ReadonlyArray<NamedCode> | undefined {
    enterRoot(this.codes)
    let state = -1
    for (const [depth, code] of parents.entries()) {
      const value = segmentValue(depth as Depth, code)
      if (value < 0 || readChildren(value, value + 1, 1) === 0) return undefined
      if (depth === 0) state = value
      enterChild(value)
    }
    const depth = parents.length as Depth
    const places = placesOf(this.names, depth, state)
    const list: Array<NamedCode> = []
    const count = readChildren(0, aboveAllValues, aboveAllValues)
    for (let rank = 0; rank < count; rank++) {
      const value = childValue(rank)
      const code = segmentText(depth, value)
      const name = places[value]?.place.name
      list.push(name === undefined ? { code } : { code, name })
    }
    return list
  }

  private layerAt(at: number): Layer {
    return this.layers[at] as Layer
  }

  private firstIdAt(at: number): number {
    return this.firstIds[at] as number
  }
}

/** By the number that `AreaUnits` and `CodeIndex` have for each. */
const statuses: Readonly<Record<number, UnitStatus | "malformed">> = {
  [absent]: "unknown",
  [retired]: "retired",
  [active]: "active",
  [malformed]: "malformed"
}

const noChanges: Changes = { layers: [] }

const activeUnitsOf = (tree: SegmentTree): number => {
  let sum = 0
  for (const active of tree.levels[0].active) sum += active
  return sum
}
