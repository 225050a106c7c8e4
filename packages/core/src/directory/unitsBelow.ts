/**
 * The number of active units of a district or area, and the centre of their locations.
 *
 * The sums of an edition are part of it. Changes are added at each call, because few of a branch's units differ from the
 * edition.
 */
import { segmentValues } from "../postcode/SegmentValue.ts"
import { activeIn } from "./codes/AreaUnits.ts"
import type { CodeIndex } from "./codes/CodeIndex.ts"
import type { LevelSums, LocationSums } from "./codes/LocationSums.ts"
import { areaAt, districtAt, findPacked } from "./codes/TreeIndex.ts"
import type { BaseLayer, Layer } from "./layers/Layer.ts"
import { isNullIsland_e7 } from "./space/Coordinate.ts"

/** The description of a branch without a name in a list. */
export interface UnitsBelow {
  /** Number of active units. */
  readonly units: number
  /**
   * The mean of their coordinates, rounded to 0.001°, without those at latitude 0 and longitude 0. Missing below 20 of the
   * others.
   */
  readonly centre?: { readonly lat: number; readonly lng: number }
}

/** The centre of fewer units would show the coordinates of one, which only level 5 shows. */
const minUnitsOfCentre = 20

/** A directory, as far as this needs it. */
interface Layered {
  readonly codes: CodeIndex
  readonly locationSums: LocationSums
  readonly layers: readonly [BaseLayer, ...ReadonlyArray<Layer>]
}

/**
 * The number and the centre of the active units of a district.
 *
 * @param district packed: state, LGA and district as one number
 */
export const unitsOfDistrict = (directory: Layered, district: number): UnitsBelow => {
  const { codes, locationSums } = directory
  const at = districtAt(codes.index, district)
  const sums = noUnits()
  if (at >= 0) addEdition(sums, codes.tree.levels[2].active[at] as number, locationSums.districts, at)
  for (const layer of directory.codes.changes) addChanges(sums, directory, layer, layer.idsInDistrict(district))
  return shown(sums)
}

/**
 * The number and the centre of the active units of an area.
 *
 * @param area packed: state, LGA, district and area as one number
 */
export const unitsOfArea = (directory: Layered, area: number): UnitsBelow => {
  const { locationSums } = directory
  const { index, tree } = directory.codes
  const district = Math.floor(area / segmentValues.area)
  const lga = Math.floor(district / segmentValues.district)
  const at = areaAt(index, lga, district - lga * segmentValues.district, area - district * segmentValues.area)
  const sums = noUnits()
  if (at >= 0) addEdition(sums, activeIn(tree.areas.units, at), locationSums.areas, at)
  for (const layer of directory.codes.changes) addChanges(sums, directory, layer, layer.idsInArea(area))
  return shown(sums)
}

/** Over active units, coordinates in fixed point. Exact: those of a district are below 2^53. */
interface Sums {
  units: number
  /** Those with a location. The coordinates are theirs. */
  located: number
  lat_e7: number
  lon_e7: number
}

const noUnits = (): Sums => ({ units: 0, located: 0, lat_e7: 0, lon_e7: 0 })

/** Adds the units of a district or area of the edition. */
const addEdition = (sums: Sums, units: number, { lats_e7, located, lons_e7 }: LevelSums, at: number): void => {
  sums.units = units
  sums.located = located[at] as number
  sums.lat_e7 = lats_e7[at] as number
  sums.lon_e7 = lons_e7[at] as number
}

/** Adds the effect of changed units. */
const addChanges = (
  sums: Sums,
  { codes, layers: [edition] }: Layered,
  layer: Layer,
  ids: ReadonlyArray<number>
): void => {
  for (const id of ids) {
    const before = findPacked(codes.index, layer.codeOf(id))
    if (before >= 0 && edition.isActive(before)) add(sums, edition, before, -1)
    if (layer.isActive(id)) add(sums, layer, id, 1)
  }
}

const add = (sums: Sums, layer: Layer, id: number, times: 1 | -1): void =>
  addPoint(sums, layer.latOf_e7(id), layer.lonOf_e7(id), times)

const addPoint = (sums: Sums, lat_e7: number, lon_e7: number, times: 1 | -1): void => {
  sums.units += times
  if (isNullIsland_e7(lat_e7, lon_e7)) return
  sums.located += times
  sums.lat_e7 += times * lat_e7
  sums.lon_e7 += times * lon_e7
}

const shown = ({ lat_e7, located, lon_e7, units }: Sums): UnitsBelow =>
  located < minUnitsOfCentre
    ? { units }
    : { units, centre: { lat: rounded(lat_e7 / located), lng: rounded(lon_e7 / located) } }

/** Degrees, rounded to 0.001. The addition turns −0 into 0. */
const rounded = (e7: number): number => Math.round(e7 / 1e4) / 1e3 + 0
