/** The units of a directory in their areas, districts, LGAs and states, which are ranges of ids. */
import { activeIn, firstIdIn } from "../codes/AreaUnits.ts"
import { activeBitsOf, treeSize } from "../codes/SegmentTree.ts"
import type { Directory } from "../Directory.ts"
import { writePoints } from "../space/SpatialIndex.ts"

/** The groups of one kind in the order of ids: the first unit of each, and the end of the last. */
export type Groups = Uint32Array

export interface UnitGroups {
  readonly area: Groups
  readonly district: Groups
  readonly lga: Groups
  readonly state: Groups
  /** The number of active units of each area. */
  readonly activeInArea: Uint8Array
}

/** What is known of each unit, by its id. */
export interface Points {
  /** In 1e-7 degrees. */
  readonly lats_e7: Int32Array
  readonly lons_e7: Int32Array
  /** The bits of active units, see `BitSet`. */
  readonly activeBits: Uint8Array
}

export const pointsOf = ({ contents: { spatial, tree }, size }: Directory): Points => {
  const points = { lats_e7: new Int32Array(size), lons_e7: new Int32Array(size) }
  writePoints(spatial, points)
  return { ...points, activeBits: activeBitsOf(tree) }
}

/** The length of the code of a state and of an LGA. */
export const codeLengths = { lga: 5, state: 2 } as const

/** The code of a state or LGA, by the first of its units. */
export const groupCode = (directory: Directory, first: number, name: keyof typeof codeLengths): string =>
  directory.postcodeAt(first).slice(0, codeLengths[name])

export const groupsOf = ({ contents: { tree } }: Directory): UnitGroups => {
  const [states, lgas, districts] = tree.levels
  const { units, values } = tree.areas
  const area = new Uint32Array(values.length + 1)
  for (let at = 0; at < values.length; at++) area[at] = firstIdIn(units, at)
  area[values.length] = treeSize(tree)
  const district = districts.starts.map((at) => area[at] as number)
  const lga = lgas.starts.map((at) => district[at] as number)
  const state = states.starts.map((at) => lga[at] as number)
  return { area, district, lga, state, activeInArea: Uint8Array.from(values, (_, at) => activeIn(units, at)) }
}
