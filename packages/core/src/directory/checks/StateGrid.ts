/** Counts the units of each state in cells of a twentieth of a degree. */
import type { Group, Points } from "./UnitGroups.ts"

/** Cells in a degree. */
const cellsPerDegree = 20
const columns = 360 * cellsPerDegree

/** Fewer neighbours say nothing. */
const minNeighbours = 40
/** A state with a smaller share of the neighbours is not at home. */
const minShare = 0.02

export class StateGrid {
  private readonly states: number
  /** The number of units by cell and state. */
  private readonly counts = new Map<number, number>()
  /** Whether a cell and its eight neighbours are foreign to a state, as far as it was asked for. */
  private readonly known = new Map<number, boolean>()

  constructor({ lats_e7, lons_e7 }: Points, groups: ReadonlyArray<Group>) {
    this.states = groups.length
    for (const [state, { end, first }] of groups.entries()) {
      for (let id = first; id < end; id++) {
        const key = this.key(cellOf((lats_e7[id] as number) / 1e7, (lons_e7[id] as number) / 1e7), state)
        this.counts.set(key, (this.counts.get(key) ?? 0) + 1)
      }
    }
  }

  /** Whether nearly all units around a point are of other states. */
  isAmongOthers(lat: number, lon: number, state: number): boolean {
    const cell = cellOf(lat, lon)
    const key = this.key(cell, state)
    const known = this.known.get(key)
    if (known !== undefined) return known
    const found = this.isForeign(cell, state)
    this.known.set(key, found)
    return found
  }

  private isForeign(cell: number, state: number): boolean {
    let own = 0
    let all = 0
    for (const row of [-columns, 0, columns]) {
      for (const column of [-1, 0, 1]) {
        for (let other = 0; other < this.states; other++) {
          const count = this.counts.get(this.key(cell + row + column, other)) ?? 0
          all += count
          if (other === state) own += count
        }
      }
    }
    return all >= minNeighbours && own < all * minShare
  }

  private key(cell: number, state: number): number {
    return cell * this.states + state
  }
}

const cellOf = (lat: number, lon: number): number =>
  Math.floor((lat + 90) * cellsPerDegree) * columns + Math.floor((lon + 180) * cellsPerDegree)
