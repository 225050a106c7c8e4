/** Looks at a directory, not only at the form of its rows: locations, places and successors that cannot be right. */
import type { Directory } from "../Directory.ts"
import { checkLocations } from "./checkLocations.ts"
import { type FileFacts, noFacts } from "./FileFacts.ts"
import { type FindingKind, type Findings, findingKinds } from "./Finding.ts"
import { repeatedAddresses } from "./repeatedAddresses.ts"
import { type Group, groupsOf, type Points, pointsOf } from "./UnitGroups.ts"

/**
 * The findings of each kind that has some, in the order of `findingKinds`.
 *
 * @param facts of the files, if they are at hand: with them, more is found
 *
 * ```ts
 * for (const { ids, kind } of checkDirectory(directory)) console.log(kind, ids.length)
 * ```
 */
export const checkDirectory = (directory: Directory, facts: FileFacts = noFacts): ReadonlyArray<Findings> => {
  if (directory.size === 0) return []
  const points = pointsOf(directory)
  const groups = groupsOf(directory)
  const found = [
    ...checkLocations(directory, points, groups, facts),
    crowded(points, groups.lga),
    repeatedAddresses(directory, points, groups.lga, facts),
    unnamed(directory, groups.state, groups.lga),
    emptyStates(directory, groups.state),
    similarNames(directory),
    ...successors(directory, groups.area)
  ]
  const order = Object.keys(findingKinds)
  return found.filter(({ ids }) => ids.length > 0).sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
}

const maxAtPoint = 50

/** Points with too many units of an LGA; the first of the units stands for all. */
const crowded = ({ lats_e7, lons_e7 }: Points, lgas: ReadonlyArray<Group>): Findings => {
  const ids: Array<number> = []
  const counts: Array<number> = []
  for (const { end, first } of lgas) {
    if (end - first <= maxAtPoint) continue
    const atPoint = new Map<number, { readonly id: number; count: number }>()
    for (let id = first; id < end; id++) {
      const key = pointKey(lats_e7[id] as number, lons_e7[id] as number)
      const known = atPoint.get(key)
      if (known === undefined) atPoint.set(key, { id, count: 1 })
      else known.count++
    }
    for (const { count, id } of atPoint.values()) {
      if (count <= maxAtPoint || isZero(lats_e7, lons_e7, id)) continue
      ids.push(id)
      counts.push(count)
    }
  }
  return { kind: "crowded", ids, detail: (index) => `${counts[index]} units` }
}

/** A number for a point of 2 cm. Only points that are 13 degrees apart may have the same. */
const pointKey = (lat_e7: number, lon_e7: number): number =>
  ((lat_e7 >> 1) & 0x3ffffff) * 0x4000000 + ((lon_e7 >> 1) & 0x3ffffff)

const isZero = (lats_e7: Int32Array, lons_e7: Int32Array, id: number): boolean =>
  Math.abs(lats_e7[id] as number) <= 10_000 && Math.abs(lons_e7[id] as number) <= 10_000

const unnamed = ({ places }: Directory, ...groups: ReadonlyArray<ReadonlyArray<Group>>): Findings => {
  const named = new Set<string>(places.map(({ code }) => code))
  const missing = groups.flat().filter(({ code }) => !named.has(code))
  return {
    kind: "unnamed_place",
    ids: missing.map(({ first }) => first),
    detail: (index) => {
      const { code, end, first } = missing[index] as Group
      return `${code}, ${end - first} units`
    }
  }
}

/** States without units are reported if most states have none: a file that was cut off begins with some states. */
const emptyStates = ({ places }: Directory, states: ReadonlyArray<Group>): Findings => {
  const withUnits = new Set<string>(states.map(({ code }) => code))
  const named = places.filter(({ code }) => code.length === 2)
  const empty = named.filter(({ code }) => !withUnits.has(code))
  const detail = `${empty.length} of ${named.length} states have no unit`
  return { kind: "empty_place", ids: empty.length > named.length / 2 ? [-1] : [], detail: () => detail }
}

/** LGAs of one state, or states, whose names are the same for people. */
const similarNames = ({ places }: Directory): Findings => {
  const known = new Map<string, string>()
  const details: Array<string> = []
  for (const { code, name } of places) {
    const key = `${code.length === 2 ? "" : code.slice(0, 2)} ${folded(name)}`
    const other = known.get(key)
    if (other === undefined) known.set(key, `${code} ${name}`)
    else details.push(`${other} and ${code} ${name}`)
  }
  return { kind: "similar_names", ids: details.map(() => -1), detail: (index) => details[index] as string }
}

const folded = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "")

const successors = (directory: Directory, areas: ReadonlyArray<Group>): ReadonlyArray<Findings> => {
  const circles: Array<number> = []
  const without: Array<number> = []
  if (directory.activeSize === directory.size) return []
  for (const { end, first } of areas) {
    const retired: Array<number> = []
    for (let id = first; id < end; id++) if (!directory.isActive(id)) retired.push(id)
    const replaced = retired.filter((id) => directory.replacedBy(directory.postcodeAt(id)) !== undefined)
    if (replaced.length > retired.length / 2) without.push(...retired.filter((id) => !replaced.includes(id)))
    circles.push(...replaced.filter((id) => isInCircle(directory, id)))
  }
  const finding = (kind: FindingKind, ids: ReadonlyArray<number>): Findings => ({
    kind,
    ids,
    detail: (index) => directory.replacedBy(directory.postcodeAt(ids[index] as number)) ?? ""
  })
  return [finding("no_successor", without), finding("successor_circle", circles)]
}

const maxSteps = 100

const isInCircle = (directory: Directory, id: number): boolean => {
  const start = directory.postcodeAt(id)
  let next = directory.replacedBy(start)
  for (let step = 0; step < maxSteps && next !== undefined; step++) {
    if (next === start) return true
    next = directory.replacedBy(next)
  }
  return false
}
