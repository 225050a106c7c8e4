/** Counts the units of groups in cells of the map. */
import { isNullIsland_e7 } from "../space/Coordinate.ts"
import type { Groups, Points } from "./UnitGroups.ts"

export class GroupGrid {
  /** Cells in a degree. */
  private readonly perDegree: number
  private readonly groups: Groups
  /** The number of units of each group whose location is known. */
  private readonly located: Uint32Array
  /** The number of units by cell, and by cell and group. */
  private readonly all = new Map<number, number>()
  private readonly own = new Map<number, number>()
  /** The neighbours of a unit of a group in a cell, as far as they were asked for. */
  private readonly known = new Map<number, Neighbours>()
  /** Those that were asked for last, since the next unit is mostly in the same cell. */
  private lastKey = -1
  private last: Neighbours = { own: 0, all: 0 }

  constructor({ lats_e7, lons_e7 }: Points, groups: Groups, perDegree: number) {
    this.perDegree = perDegree
    this.groups = groups
    this.located = new Uint32Array(groups.length)
    for (let group = 0; group < groups.length - 1; group++) {
      const end = groups[group + 1] as number
      let from = groups[group] as number
      let cell = unknown
      for (let id = from; id < end; id++) {
        const lat_e7 = lats_e7[id] as number
        const lon_e7 = lons_e7[id] as number
        const next = isNullIsland_e7(lat_e7, lon_e7) ? unknown : this.cellOf(lat_e7 / 1e7, lon_e7 / 1e7)
        if (next === cell) continue
        this.count(cell, group, id - from)
        cell = next
        from = id
      }
      this.count(cell, group, end - from)
    }
  }

  /** The other units around one of a group, in its cell and the eight cells around that. */
  neighboursOf(lat: number, lon: number, group: number): Neighbours {
    const cell = this.cellOf(lat, lon)
    const key = this.key(cell, group)
    if (key === this.lastKey) return this.last
    const found = this.known.get(key) ?? this.find(cell, group)
    this.known.set(key, found)
    this.lastKey = key
    this.last = found
    return found
  }

  /** Whether none of the other units of a group is around one of its units. */
  isAlone(lat: number, lon: number, group: number): boolean {
    return (this.located[group] as number) >= minUnits && this.neighboursOf(lat, lon, group).own === 0
  }

  private find(cell: number, group: number): Neighbours {
    let own = -1
    let all = -1
    for (const row of [-this.columns, 0, this.columns]) {
      for (const column of [-1, 0, 1]) {
        all += this.all.get(cell + row + column) ?? 0
        own += this.own.get(this.key(cell + row + column, group)) ?? 0
      }
    }
    return { own, all }
  }

  /** Adds neighbouring units of a group together. */
  private count(cell: number, group: number, units: number): void {
    if (units === 0 || cell === unknown) return
    this.located[group] = (this.located[group] as number) + units
    this.all.set(cell, (this.all.get(cell) ?? 0) + units)
    const key = this.key(cell, group)
    this.own.set(key, (this.own.get(key) ?? 0) + units)
  }

  private get columns(): number {
    return 360 * this.perDegree
  }

  private key(cell: number, group: number): number {
    return cell * this.groups.length + group
  }

  private cellOf(lat: number, lon: number): number {
    return Math.floor((lat + 90) * this.perDegree) * this.columns + Math.floor((lon + 180) * this.perDegree)
  }
}

/** The cell of units at 0,0. */
const unknown = -1

/** A group of fewer units has no place that is known. */
const minUnits = 5

export interface Neighbours {
  /** Of the same group. */
  readonly own: number
  readonly all: number
}
