/** Units of a demonstration directory, drawn by lot, and postcodes that it does not have. Every process draws the same. */
import { pack, unpack } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { demoAttributes, demoUnits } from "@postcode/demo"
import { randomNumbers } from "../../test/RandomNumbers.ts"

/** A unit without its attributes, and with coordinates in 1e-7 degrees. */
export interface Place {
  readonly postcode: Postcode
  readonly lat_e7: number
  readonly lon_e7: number
  readonly active: boolean
  /** The successor of a retired unit. */
  readonly replaced_by: Postcode | undefined
}

export interface Unit extends Place {
  readonly attributes: UnitAttributes
}

/** What names a demonstration directory. */
export interface DemoName {
  readonly units: number
  readonly seed: number
}

export class DemoSample {
  /** In code order. */
  readonly places: ReadonlyArray<Place>
  /** Postcodes that are not in the directory. */
  readonly free: ReadonlyArray<Postcode>
  private readonly ranks: ReadonlyMap<Postcode, number>
  private readonly attributesOf: (postcode: Postcode) => UnitAttributes

  /** @param count at most so many units */
  constructor(name: DemoName, count: number) {
    const random = randomNumbers(name.seed + 77)
    this.places = drawPlaces(name, count, random)
    this.ranks = new Map(this.places.map(({ postcode }, rank) => [postcode, rank]))
    this.free = freePostcodes(name, this.places, random)
    this.attributesOf = demoAttributes(name.seed)
  }

  /** The unit in the edition; undefined if it is not in the sample. */
  unit(postcode: Postcode): Unit | undefined {
    const rank = this.ranks.get(postcode)
    if (rank === undefined) return undefined
    return { ...(this.places[rank] as Place), attributes: this.attributesOf(postcode) }
  }
}

const drawPlaces = ({ seed, units }: DemoName, count: number, random: () => number): ReadonlyArray<Place> => {
  const rows = drawRows(units, count, random)
  const drawn: Array<Place> = []
  let first = 0
  for (const chunk of demoUnits({ units, seed })) {
    for (let row = rows[drawn.length]; row !== undefined && row < first + chunk.count; row = rows[drawn.length]) {
      const at = row - first
      const successor = chunk.successors[at] as number
      drawn.push({
        postcode: unpack(chunk.codes[at] as number),
        lat_e7: chunk.lat_e7[at] as number,
        lon_e7: chunk.lon_e7[at] as number,
        active: chunk.active[at] === 1,
        replaced_by: successor === 0 ? undefined : unpack(successor)
      })
    }
    first += chunk.count
  }
  return drawn
}

/** Distinct numbers below `units`, ascending. */
const drawRows = (units: number, count: number, random: () => number): ReadonlyArray<number> => {
  if (count >= units) return Array.from({ length: units }, (_, row) => row)
  const rows = new Set<number>()
  while (rows.size < count) rows.add(Math.floor(random() * units))
  return [...rows].sort((a, b) => a - b)
}

/** Most are in areas of the sampled units, some in other areas of their districts. */
const freePostcodes = (
  { seed, units }: DemoName,
  near: ReadonlyArray<Place>,
  random: () => number
): ReadonlyArray<Postcode> => {
  const drawn = new Set<number>()
  const letter = () => String.fromCharCode(65 + Math.floor(26 * random()))
  for (const { postcode } of near) {
    const area = random() < 0.8 ? postcode.slice(0, 12) : `${postcode.slice(0, 10)}${letter()}${letter()}`
    const unit = String(Math.floor(100 * random())).padStart(2, "0")
    drawn.add(pack(`${area}-${unit}` as Postcode))
  }
  const candidates = Float64Array.from(drawn).sort()
  const free: Array<Postcode> = []
  let next = 0
  for (const { codes, count } of demoUnits({ units, seed })) {
    for (let at = 0; at < count && next < candidates.length; ) {
      const [candidate, code] = [candidates[next] as number, codes[at] as number]
      if (candidate < code) free.push(unpack(candidate))
      if (candidate <= code) next++
      else at++
    }
  }
  for (; next < candidates.length; next++) free.push(unpack(candidates[next] as number))
  // In another order than that of codes.
  return free
    .map((postcode) => ({ postcode, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ postcode }) => postcode)
}
