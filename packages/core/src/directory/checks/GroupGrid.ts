/** Counts the units of groups in cells of the map. */
import type { Group, Points } from "./UnitGroups.ts"

export class GroupGrid {
  /** Cells in a degree. */
  private readonly perDegree: number
  private readonly groups: ReadonlyArray<Group>
  /** The number of units by cell, and by cell and group. */
  private readonly all = new Map<number, number>()
  private readonly own = new Map<number, number>()
  /** The neighbours of a unit of a group in a cell, as far as they were asked for. */
  private readonly known = new Map<number, Neighbours>()

  constructor({ lats_e7, lons_e7 }: Points, groups: ReadonlyArray<Group>, perDegree: number) {
    this.perDegree = perDegree
    this.groups = groups
    for (const [group, { end, first }] of groups.entries()) {
      for (let id = first; id < end; id++) {
        const cell = this.cellOf((lats_e7[id] as number) / 1e7, (lons_e7[id] as number) / 1e7)
        this.all.set(cell, (this.all.get(cell) ?? 0) + 1)
        const key = this.key(cell, group)
        this.own.set(key, (this.own.get(key) ?? 0) + 1)
      }
    }
  }

  /** The other units around one of a group, in its cell and the eight cells around that. */
  neighboursOf(lat: number, lon: number, group: number): Neighbours {
    const cell = this.cellOf(lat, lon)
    const key = this.key(cell, group)
    const known = this.known.get(key)
    if (known !== undefined) return known
    let own = -1
    let all = -1
    for (const row of [-this.columns, 0, this.columns]) {
      for (const column of [-1, 0, 1]) {
        all += this.all.get(cell + row + column) ?? 0
        own += this.own.get(this.key(cell + row + column, group)) ?? 0
      }
    }
    const found = { own, all }
    this.known.set(key, found)
    return found
  }

  /** Whether none of the other units of a group is around one of its units. */
  isAlone(lat: number, lon: number, group: number): boolean {
    const { end, first } = this.groups[group] as Group
    return end - first >= minUnits && this.neighboursOf(lat, lon, group).own === 0
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

/** A group of fewer units has no place that is known. */
const minUnits = 5

export interface Neighbours {
  /** Of the same group. */
  readonly own: number
  readonly all: number
}
