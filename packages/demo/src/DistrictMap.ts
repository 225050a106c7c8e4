/**
 * The localities and streets of a district. They depend on the district's code and the seed, not on the size of the
 * directory: a larger directory settles more of the same map.
 *
 * The map covers the widest grid of areas that the district can have at any size. A street runs along a row of the grid
 * through one area or several. Each quarter of the grid is in the district's locality, or is a locality of its own.
 */
import { type DistrictLayout, districtLayout, firstLetters, gridWithin } from "./AreaLayout.ts"
import { districtLocality, knownLocality, type LocalitySite, localityInDistrict } from "./addresses/LocalityNames.ts"
import { streetName } from "./addresses/StreetNames.ts"
import type { KnownLocality } from "./addresses/WellKnownPlaces.ts"
import { districtHash, districtPosition, lgaHash } from "./DemoPlan.ts"
import { child, pick } from "./Hash.ts"
import { settlements, widestSite_m } from "./Settlements.ts"

/** A street of the map. */
export interface Street {
  /** With its locality: `Allen Avenue, Ikeja`. */
  readonly address: string
  readonly hash: number
  /** The column of the grid in which it begins. */
  readonly start: number
}

/** The map of one district, computed as far as it is used. */
export class DistrictMap implements LocalitySite {
  readonly state: string
  readonly lga: string
  readonly letter: number
  readonly index: number
  readonly hash: number
  readonly urban: boolean
  readonly layout: DistrictLayout
  /** Whether addresses say `Plot 12` in place of `12`: often in the Federal Capital Territory, elsewhere sometimes. */
  readonly hasPlots: boolean
  readonly #known: KnownLocality | undefined
  /** The grid, and the positions in the alphabet of its first row and column. */
  readonly #rows: number
  readonly #columns: number
  readonly #firstRow: number
  readonly #firstColumn: number
  /** The row that is settled at every size. */
  readonly #oldestRow: number
  readonly #localities: Array<string | undefined> = []
  readonly #streets: Array<Street | undefined> = []

  /** The map of a district such as `LA-11-B03`. */
  constructor(district: string, seed: number) {
    this.state = district.slice(0, 2)
    this.lga = district.slice(0, 5)
    const code = district.slice(6)
    const lga = lgaHash(seed, this.state, this.lga.slice(3))
    const { index, letter } = districtPosition(lga, code)
    this.letter = letter
    this.index = index
    this.hash = districtHash(lga, code)
    this.urban = settlements().get(this.lga)?.urban ?? false
    this.layout = districtLayout(this.hash, this.urban)
    this.hasPlots = pick(child(this.hash, 10), 8) < (this.state === "FC" ? 4 : 1)
    this.#known = knownLocality(this)
    const { columns, rows } = gridWithin(widestSite_m(this), this.layout)
    this.#rows = rows
    this.#columns = columns
    const { first_column, first_row } = firstLetters(this.hash, { columns, rows })
    this.#firstRow = first_row
    this.#firstColumn = first_column
    this.#oldestRow = firstLetters(this.hash, { columns: 1, rows: 1 }).first_row - first_row
  }

  /** The name of the locality of an area, given the positions in the alphabet of its two letters. */
  localityOf(areaRow: number, areaColumn: number): string {
    return this.#locality(areaRow - this.#firstRow, areaColumn - this.#firstColumn)
  }

  /** One of the parallel streets of an area. */
  streetOf(areaRow: number, areaColumn: number, street: number): Street {
    const row = areaRow - this.#firstRow
    const column = areaColumn - this.#firstColumn
    const at = (row * this.#columns + column) * this.layout.streets + street
    let found = this.#streets[at]
    if (found === undefined) {
      found = this.#street(row, column, street)
      this.#streets[at] = found
    }
    return found
  }

  /** The number of areas between the start of a street and the column of an area on it. */
  columnOn(street: Street, areaColumn: number): number {
    return areaColumn - this.#firstColumn - street.start
  }

  #street(row: number, column: number, street: number): Street {
    const line = child(this.hash, 8192 + row * mostStreets + street)
    const locality = this.#locality(row, column)
    const known = this.#knownStreet(row, street)
    if (known !== undefined) return { address: `${known}, ${locality}`, hash: line, start: 0 }
    const start = this.#startOf(line, column)
    const number = (row * this.#columns + start) * mostStreets + street
    return { address: `${this.#ordinaryName(number)}, ${locality}`, hash: child(line, 64 + start), start }
  }

  /** The name of the street of a number, other than those of the well-known streets of the locality. */
  #ordinaryName(number: number): string {
    const name = streetName(this.state, this.hash, number)
    return this.#known?.streets.includes(name) ? this.#ordinaryName(number + manyNumbers) : name
  }

  /** Well-known streets cross the whole district. They take the first streets of each row, from the oldest row. */
  #knownStreet(row: number, street: number): string | undefined {
    if (this.#known === undefined || street >= mainStreets) return undefined
    const distance = row - this.#oldestRow
    const order = distance < 0 ? -2 * distance - 1 : 2 * distance
    return this.#known.streets[order * mainStreets + street]
  }

  /** A street begins where its quarter of the grid begins, and at one in three areas after. */
  #startOf(line: number, column: number): number {
    const quarter = column >= this.#columns / 2 ? Math.ceil(this.#columns / 2) : 0
    let start = column
    while (start > quarter && pick(child(line, start), 3) > 0) start--
    return start
  }

  #locality(row: number, column: number): string {
    if (this.#known !== undefined) return this.#known.name
    const quarter = (row >= this.#rows / 2 ? 2 : 0) + (column >= this.#columns / 2 ? 1 : 0)
    let name = this.#localities[quarter]
    if (name === undefined) {
      name = localityInDistrict(this, districtLocality(this), quarter)
      this.#localities[quarter] = name
    }
    return name
  }
}

/** No street plan has more streets in an area. */
const mostStreets = 5

/** More than the numbers of the streets of a district. */
const manyNumbers = 8191

/** The streets of an area that have houses along all of their length. */
const mainStreets = 2
