/**
 * The national directory in memory: which units exist, which of them are active, where they are, and what states and
 * local government areas are called. It is immutable, made by `DirectoryBuilder`, and consists of typed arrays alone
 * (but for the names), about 18 bytes a unit: no object and no string for each.
 *
 * A unit's id is its rank in the order of canonical postcodes, from 0. Ids are for this directory only.
 */
import { type Coordinate, fromE7 } from "./Coordinate.ts"
import { makeNameTable, type NameTable, namesOf } from "./internal/NameTable.ts"
import {
  findUnit,
  indexOf,
  isActiveUnit,
  postcodeOf,
  type SegmentTree,
  type TreeLevel
} from "./internal/SegmentTree.ts"
import { type Depth, segmentText, segmentValue } from "./internal/SegmentValue.ts"
import type { SpatialIndex } from "./internal/SpatialIndex.ts"
import type { NamedCode, Place, PlaceNames } from "./Place.ts"
import type { Postcode } from "./Postcode.ts"

export type UnitStatus = "active" | "retired" | "unknown"

/** The contents of a directory: what a snapshot has to hold, and all that one needs to open one. */
export interface DirectoryContents {
  readonly version: string
  readonly date: string
  /** In code order. */
  readonly places: ReadonlyArray<Place>
  readonly tree: SegmentTree
  readonly spatial: SpatialIndex
}

export class Directory {
  /** The number of units, retired ones included. */
  readonly size: number
  readonly activeSize: number
  /** Which edition of the national data this is, in the words of its publisher; empty if not said. */
  readonly version: string
  /** The day of that edition, `2026-01-31`; empty if not said. */
  readonly date: string
  /** The arrays themselves, for searches and snapshots. Nothing may write to them. */
  readonly contents: DirectoryContents
  /** The names of the contents, arranged for completion. */
  readonly names: NameTable

  constructor(contents: DirectoryContents) {
    const { tree } = contents
    this.contents = contents
    this.version = contents.version
    this.date = contents.date
    this.size = tree.units.length
    this.activeSize = tree.levels[0].active.reduce((sum, active) => sum + active, 0)
    this.names = makeNameTable(contents.places, tree)
  }

  /** The unit's id, or −1 if the directory does not know the postcode. Retired units are found, too. */
  find(postcode: Postcode): number {
    return findUnit(this.contents.tree, postcode)
  }

  postcodeAt(id: number): Postcode {
    return postcodeOf(this.contents.tree, this.checked(id))
  }

  coordinateAt(id: number): Coordinate {
    const { coords, positions } = this.contents.spatial
    const at = 2 * (positions[this.checked(id)] as number)
    return { lat: fromE7(coords[at + 1] as number), lon: fromE7(coords[at] as number) }
  }

  isActive(id: number): boolean {
    return isActiveUnit(this.contents.tree.activeBits, this.checked(id))
  }

  status(postcode: Postcode): UnitStatus {
    const id = this.find(postcode)
    return id < 0 ? "unknown" : isActiveUnit(this.contents.tree.activeBits, id) ? "active" : "retired"
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

  private listBelow(parents: ReadonlyArray<string>): ReadonlyArray<NamedCode> | undefined {
    const { tree } = this.contents
    const levels: ReadonlyArray<TreeLevel> = tree.levels
    let first = 0
    let end = tree.levels[0].values.length
    for (const [depth, code] of parents.entries()) {
      const level = levels[depth] as TreeLevel
      const node = indexOf(level.values, first, end, segmentValue(depth as Depth, code))
      if (node < 0 || level.active[node] === 0) return undefined
      first = level.starts[node] as number
      end = level.starts[node + 1] as number
    }
    const depth = parents.length as Depth
    const level = levels[depth] as TreeLevel
    const list: Array<NamedCode> = []
    for (let node = first; node < end; node++) {
      if (level.active[node] === 0) continue
      const code = segmentText(depth, level.values[node] as number)
      const name = this.names.levels[depth]?.names[node]
      list.push(name === undefined ? { code } : { code, name })
    }
    return list
  }

  private checked(id: number): number {
    if (id >= 0 && id < this.size && Number.isInteger(id)) return id
    throw new RangeError(`unit id ${id}: expected an integer from 0 to ${this.size - 1}`)
  }
}
