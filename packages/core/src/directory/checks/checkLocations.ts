/** Finds units whose location cannot be right. Each unit is found once, with the first reason that holds. */
import type { Directory } from "../Directory.ts"
import { isNullIsland } from "../space/Coordinate.ts"
import type { FileFacts, PlaceLocation } from "./FileFacts.ts"
import type { FindingKind, Findings } from "./Finding.ts"
import { GroupGrid } from "./GroupGrid.ts"
import { distance_km, isFarther, type Middle, middleOf } from "./Middle.ts"
import { codeLengths, groupCode, type Points, type UnitGroups } from "./UnitGroups.ts"

/** How far from its middle a unit of a group may be. */
interface Reach {
  readonly kind: FindingKind
  readonly least_km: number
  /** In the distance that half of the units have. */
  readonly spreads: number
}

const reaches = {
  area: { kind: "far_from_area", least_km: 3, spreads: 30 },
  lga: { kind: "far_from_lga", least_km: 30, spreads: 8 },
  state: { kind: "far_from_state", least_km: 150, spreads: 5 }
} as const satisfies Readonly<Record<MiddleName, Reach>>

/** Groups whose middle is known. Districts are compared unit by unit. */
type MiddleName = "area" | "lga" | "state"

/** Fewer neighbours say nothing of a state. */
const minNeighbours = 40
/** A state with a smaller share of the neighbours is not at home. */
const minShare = 0.02

/** A middle of fewer units is not relied on. */
const minUnits = 5

/** Nigeria, with a margin. It holds for directories most of whose units are in it. */
const national: Bounds = { south: 4, north: 14.1, west: 2.5, east: 14.9 }

interface Bounds {
  readonly south: number
  readonly north: number
  readonly west: number
  readonly east: number
}

export const checkLocations = (
  directory: Directory,
  points: Points,
  groups: UnitGroups,
  { places }: FileFacts
): ReadonlyArray<Findings> => {
  const check = new LocationCheck(directory, points, groups, places)
  return check.findings()
}

class LocationCheck {
  private readonly directory: Directory
  private readonly points: Points
  private readonly groups: UnitGroups
  private readonly bounds: ReadonlyArray<Bounds>
  private readonly states: GroupGrid
  private readonly districts: GroupGrid
  private readonly places: FileFacts["places"]
  private readonly ids = new Map<FindingKind, Array<number>>()

  constructor(directory: Directory, points: Points, groups: UnitGroups, places: FileFacts["places"]) {
    this.directory = directory
    this.points = points
    this.groups = groups
    this.bounds = [...nationalBounds(points, directory.size), ...usualBounds(points, directory.size)]
    this.places = places
    this.states = new GroupGrid(points, groups.state, 20)
    this.districts = new GroupGrid(points, groups.district, 10)
  }

  findings(): ReadonlyArray<Findings> {
    const { area, district, lga, state } = this.groups
    const at = { area: -1, district: -1, lga: -1, state: -1 }
    let lgaMiddle = nowhere
    let stateMiddle = nowhere
    let place: PlaceLocation | undefined
    for (at.area = 0; at.area < area.length - 1; at.area++) {
      const first = area[at.area] as number
      const end = area[at.area + 1] as number
      if (district[at.district + 1] === first) at.district++
      if (state[at.state + 1] === first) stateMiddle = this.middleOf(first, state[++at.state + 1] as number)
      if (lga[at.lga + 1] === first) {
        lgaMiddle = this.middleOf(first, lga[++at.lga + 1] as number)
        place = this.placeOf(first)
      }
      const middles = { area: this.middleOf(first, end), lga: lgaMiddle, state: stateMiddle }
      this.checkArea(first, end, { middles, district: at.district, state: at.state, place })
    }
    return [...this.ids].map(([kind, ids]) => ({ kind, ids, detail: (index) => this.detail(ids[index] as number) }))
  }

  /** Where the LGA of a unit is, or its state if that is not known. */
  private placeOf(id: number): PlaceLocation | undefined {
    const code = groupCode(this.directory, id, "lga")
    return this.places.get(code) ?? this.places.get(code.slice(0, codeLengths.state))
  }

  private checkArea(first: number, end: number, surroundings: Surroundings): void {
    const { lats_e7, lons_e7 } = this.points
    for (let id = first; id < end; id++) {
      const lat = (lats_e7[id] as number) / 1e7
      const lon = (lons_e7[id] as number) / 1e7
      const kind = isNullIsland({ lat, lon }) ? "null_island" : this.kindOf(lat, lon, surroundings)
      if (kind === undefined) continue
      const ids = this.ids.get(kind)
      if (ids === undefined) this.ids.set(kind, [id])
      else ids.push(id)
    }
  }

  private kindOf(lat: number, lon: number, { district, middles, place, state }: Surroundings): FindingKind | undefined {
    const isOutside = !this.isInBounds(lat, lon)
    const isAway = place !== undefined && isFarFromPlace(place, lat, lon)
    const far = farFrom(lat, lon, middles) ?? (isAway ? "far_from_place" : undefined)
    if (isOutside || far !== undefined) {
      if (this.fitsExchanged(lat, lon, middles, place)) return "exchanged"
      return isOutside ? "outside" : far
    }
    const { all, own } = this.states.neighboursOf(lat, lon, state)
    if (all >= minNeighbours && own < all * minShare) return "other_state"
    return this.districts.isAlone(lat, lon, district) ? "far_from_district" : undefined
  }

  /** Where the place is known, it decides. Units that are all exchanged have only wrong ones to be compared with. */
  private fitsExchanged(lat: number, lon: number, middles: Surroundings["middles"], place: PlaceLocation | undefined) {
    if (place !== undefined) return !isFarFromPlace(place, lon, lat)
    const { state } = middles
    const isStateOutside = !isWithin(national, state.lat, state.lon) && isWithin(national, state.lon, state.lat)
    if (isStateOutside && !this.isInBounds(lat, lon)) return isWithin(national, lon, lat)
    return this.isInBounds(lon, lat) && farFrom(lon, lat, middles) === undefined
  }

  private isInBounds(lat: number, lon: number): boolean {
    return this.bounds.every((bounds) => isWithin(bounds, lat, lon))
  }

  private middleOf(first: number, end: number): Middle {
    return middleOf(first, end, this.points, isLocated)
  }

  private detail(id: number): string {
    const { lat, lon } = this.directory.coordinateAt(id)
    return `lat ${lat}, lon ${lon}`
  }
}

const isLocated = (lat: number, lon: number): boolean => !isNullIsland({ lat, lon })

/** The middle of no unit. */
const nowhere: Middle = { lat: Number.NaN, lon: Number.NaN, spread_km: Number.NaN, count: 0 }

/** The middles around a unit, the indexes of its district and state, and where its LGA or state is. */
interface Surroundings {
  readonly middles: Readonly<Record<MiddleName, Middle>>
  readonly district: number
  readonly state: number
  readonly place: PlaceLocation | undefined
}

/** The largest LGAs are over 200 km long, and a point may be anywhere in one. */
const maxFromPoint_km = 150
/** Boxes end at a border that people draw in more than one way. */
const boxMargin = 0.05

const isFarFromPlace = (place: PlaceLocation, lat: number, lon: number): boolean => {
  if ("lat" in place) return distance_km(lat, lon, place.lat, place.lon) > maxFromPoint_km
  const { east, north, south, west } = place
  return !isWithin(
    { south: south - boxMargin, north: north + boxMargin, west: west - boxMargin, east: east + boxMargin },
    lat,
    lon
  )
}

const farFrom = (lat: number, lon: number, middles: Readonly<Record<MiddleName, Middle>>): FindingKind | undefined => {
  for (const name of ["area", "lga", "state"] as const) {
    const { count, lat: middleLat, lon: middleLon, spread_km } = middles[name]
    const { kind, least_km, spreads } = reaches[name]
    if (count < minUnits) continue
    // Most people of a state may live in one corner of it. Units with known neighbours are not compared with them.
    if (name === "state" && middles.lga.count >= minUnits) return undefined
    if (isFarther(lat, lon, middleLat, middleLon, Math.max(least_km, spreads * spread_km))) return kind
  }
  return undefined
}

const isWithin = ({ east, north, south, west }: Bounds, lat: number, lon: number): boolean =>
  lat >= south && lat <= north && lon >= west && lon <= east

/** The bounds of the nation, if most units are in it, the right way or exchanged. */
const nationalBounds = ({ lats_e7, lons_e7 }: Points, size: number): ReadonlyArray<Bounds> => {
  let inside = 0
  let located = 0
  for (let id = 0; id < size; id++) {
    const lat = (lats_e7[id] as number) / 1e7
    const lon = (lons_e7[id] as number) / 1e7
    if (isNullIsland({ lat, lon })) continue
    located++
    if (isWithin(national, lat, lon) || isWithin(national, lon, lat)) inside++
  }
  return inside > located / 2 ? [national] : []
}

/** The bounds of 99.9 % of the units, with a fifth of their extent as a margin. */
const usualBounds = ({ lats_e7, lons_e7 }: Points, size: number): ReadonlyArray<Bounds> => {
  if (size < 1_000) return []
  const [south, north] = usualRange(lats_e7)
  const [west, east] = usualRange(lons_e7)
  return [{ south, north, west, east }]
}

const usualRange = (values_e7: Int32Array): readonly [low: number, high: number] => {
  const step = Math.max(1, Math.floor(values_e7.length / 200_000))
  const sample = new Int32Array(Math.ceil(values_e7.length / step))
  for (let at = 0; at < sample.length; at++) sample[at] = values_e7[at * step] as number
  sample.sort()
  const at = (share: number) => (sample[Math.floor(share * (sample.length - 1))] as number) / 1e7
  const [low, high] = [at(0.0005), at(0.9995)]
  const margin = Math.max(0.1, (high - low) / 5)
  return [low - margin, high + margin]
}
