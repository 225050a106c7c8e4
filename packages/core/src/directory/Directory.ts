/**
 * The national directory in memory: units with status and location, and names of states and local government areas. It
 * is immutable, built by `DirectoryBuilder`, and consists of typed arrays (except the names), about 9 bytes per unit.
 *
 * A directory with changes (see `LiveDirectory`) has layers of changes on top of those arrays and behaves as if built
 * from the current units. It is immutable, too: each batch of changes creates another directory.
 *
 * Unit ids are for searches and valid for one directory only: without changes they are ranks in the order of canonical
 * postcodes, from 0; with changes they have no order.
 */

import type { Postcode } from "../postcode/Postcode.ts"
import { type Depth, segmentText, segmentValue } from "../postcode/SegmentValue.ts"
import { absent, active, retired } from "./codes/AreaUnits.ts"
import { aboveAllValues, childValue, enterChild, enterRoot, readChildren } from "./codes/Branch.ts"
import { CodeIndex, malformed } from "./codes/CodeIndex.ts"
import { type BranchCounts, countBranches } from "./codes/countBranches.ts"
import type { LocationSums } from "./codes/LocationSums.ts"
import { unpack } from "./codes/PackedCode.ts"
import { type SegmentTree, treeSize } from "./codes/SegmentTree.ts"
import { noSuccessor, type Successors } from "./codes/Successors.ts"
import type { BranchOverlay } from "./layers/BranchOverlay.ts"
import { foldLayers } from "./layers/foldLayers.ts"
import { BaseLayer, type ChangeLayer, type Layer } from "./layers/Layer.ts"
import { NameTable, namesOf, placesOf } from "./places/NameTable.ts"
import type { NamedCode, Place, PlaceNames } from "./places/Place.ts"
import type { DirectoryContents } from "./snapshot/DirectoryContents.ts"
import { openSnapshot } from "./snapshot/openSnapshot.ts"
import { type Coordinate, fromE7 } from "./space/Coordinate.ts"
import type { AddressIndex } from "./text/AddressIndex.ts"

export type { BranchCounts } from "./codes/countBranches.ts"
export type { DirectoryContents } from "./snapshot/DirectoryContents.ts"

/** The status of a unit; `unknown` units are not in the directory. */
export type UnitStatus = "active" | "retired" | "unknown"

/** Layers of changes on top of the content. */
export interface Changes {
  /** They have different units. */
  readonly layers: ReadonlyArray<ChangeLayer>
  /** Their effect on branches. */
  readonly overlay?: BranchOverlay
  /** The name table of the content, if it exists already. */
  readonly names?: NameTable
  /** The units whose addresses changed since the edition, with their addresses. */
  readonly addresses?: Directory | undefined
}

export class Directory {
  /** The number of units, retired ones included. */
  readonly size: number
  readonly activeSize: number
  /** The publisher's name of the edition; empty if unknown. */
  readonly version: string
  /** The date of the edition, `2026-01-31`; empty if unknown. */
  readonly date: string
  /** Number of changes applied to that edition. */
  readonly changes: number
  /** The named states and local government areas, in code order. */
  readonly places: ReadonlyArray<Place>
  /** The same, indexed for completion. */
  readonly names: NameTable
  /** The content without changes, then the layers of changes. For searches. */
  readonly layers: readonly [BaseLayer, ...ReadonlyArray<ChangeLayer>]
  /** Offset of each layer's ids. */
  readonly firstIds: ReadonlyArray<number>

  /** Compares two ids by postcode; undefined if the order of ids is the order of postcodes. */
  readonly order: ((a: number, b: number) => number) | undefined

  /** The addresses of the edition, if it was built with them. For `searchAddress`. */
  readonly addresses: AddressIndex | undefined

  /**
   * The units whose addresses are others than in the edition, as far as they are indexed: a directory of these alone,
   * which is for `searchAddress` only.
   */
  readonly changedAddresses: Directory | undefined

  /** The successors of the edition's retired units, without changes. */
  readonly successors: Successors

  /** The sums of the edition's districts and areas, without changes. */
  readonly locationSums: LocationSums

  /** The codes of all units, for completion. */
  readonly codes: CodeIndex

  private readonly base: DirectoryContents
  private readonly changed: Changes
  private folded: DirectoryContents | undefined
  private counted: BranchCounts | undefined

  /**
   * Opens a snapshot written by `snapshotPieces`, as views over the bytes, without copying or parsing. The bytes must
   * not change while the directory is used. Arbitrary bytes are safe: they fail with `InvalidSnapshot`.
   *
   * ```ts
   * const directory = Directory.open(await (await fetch("/nigeria.snapshot")).arrayBuffer())
   * ```
   *
   * @param options `verify: false` skips the checksums of the sections, for bytes that were verified before
   * @throws InvalidSnapshot if the bytes are not a snapshot of this format, truncated or altered
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
    this.addresses = contents.addresses
    this.changedAddresses = changes.addresses
    this.successors = contents.successors
    this.locationSums = contents.locationSums
    this.names = changes.names ?? new NameTable(contents.places)
    this.size = treeSize(tree)
    this.activeSize = activeUnitsOf(tree)
    for (const layer of changes.layers) {
      this.size += layer.added
      this.activeSize += layer.activated
    }
    this.codes = new CodeIndex(tree, changes.layers, changes.overlay)
    this.layers = [new BaseLayer(this.codes.index, spatial, contents.successors), ...changes.layers]
    this.firstIds = this.codes.firstIds
    this.order = changes.layers.length === 0 ? undefined : (a, b) => this.compareIds(a, b)
  }

  /**
   * The arrays of the directory, for snapshots; read-only. With changes they are built at the first call, which takes
   * as long as a new build; `mergeInWorker` of `@postcode/node` does it in another thread.
   */
  get contents(): DirectoryContents {
    if (this.changed.layers.length === 0) return this.base
    this.folded ??= {
      ...this.base,
      ...foldLayers(
        this.base,
        this.changed.layers.map((layer) => layer.states())
      )
    }
    return this.folded
  }

  /** The same directory with another index of changed addresses. */
  withChangedAddresses(addresses: Directory): Directory {
    return new Directory(this.base, { ...this.changed, names: this.names, addresses })
  }

  /** The unit's id, or −1 if the directory does not contain the postcode. Includes retired units. */
  find(postcode: Postcode): number {
    return this.codes.find(postcode)
  }

  /**
   * `find` of this directory as a function that references only its codes, for data indexed by unit id that outlives
   * the directory.
   */
  finder(): (postcode: Postcode) => number {
    const codes = this.codes.detached()
    return (postcode) => codes.find(postcode)
  }

  /**
   * The status of the unit of a postcode in any format and either case, as `parse` reads it; `malformed` if it is not a
   * postcode. The fastest way, because it allocates nothing.
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

  /**
   * The successor of a retired unit; undefined if it is not known, or the unit is not retired. The successor may be
   * retired itself, or missing from this directory.
   */
  replacedBy(postcode: Postcode): Postcode | undefined {
    const id = this.codes.find(postcode)
    if (id < 0) return undefined
    const at = this.layerOf(id)
    const code = this.layerAt(at).successorOf(id - this.firstIdAt(at))
    return code === noSuccessor ? undefined : unpack(code)
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

  /** The names of a postcode's state and local government area. The unit need not exist. */
  placeNames(postcode: Postcode): PlaceNames {
    return namesOf(this.names, postcode)
  }

  /** The states with an active unit, in code order. The methods below also list only branches with active units. */
  states(): ReadonlyArray<NamedCode> {
    return this.listBelow([]) ?? []
  }

  /**
   * The local government areas of a state; undefined if the state has no active unit or the code is malformed.
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

  /** The number of branches. Counted at the first call, in a few milliseconds for a whole country. */
  branchCounts(): BranchCounts {
    this.counted ??= countBranches(this.codes)
    return this.counted
  }

  /**
   * For searches in the edition's spatial index: whether a unit that is not marked visible is included nevertheless;
   * undefined if none is. All versions share the marks, which are exact for the newest.
   */
  acceptedInEdition(): ((id: number) => boolean) | undefined {
    if (this.codes.changes.every(isNewest)) return undefined
    const [edition] = this.layers
    return (id) => edition.isActive(id) && this.codes.findChanged(edition.codeOf(id)) < 0
  }

  /** Compares two units by their postcodes: negative if the first comes first. */
  compareIds(a: number, b: number): number {
    if (this.layerOf(a) === 0 && this.layerOf(b) === 0) return a - b
    return this.packedAt(a) - this.packedAt(b)
  }

  /** The layer of an id. */
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

/** By the number in `AreaUnits` and `CodeIndex`. */
const statuses: Readonly<Record<number, UnitStatus | "malformed">> = {
  [absent]: "unknown",
  [retired]: "retired",
  [active]: "active",
  [malformed]: "malformed"
}

const isNewest = ({ isNewest }: ChangeLayer): boolean => isNewest

const noChanges: Changes = { layers: [] }

const activeUnitsOf = (tree: SegmentTree): number => {
  let sum = 0
  for (const active of tree.levels[0].active) sum += active
  return sum
}
