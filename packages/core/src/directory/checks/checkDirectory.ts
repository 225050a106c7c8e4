/** Looks at a directory, not only at the form of its rows: locations, places and successors that cannot be right. */
import { hasBit } from "../codes/BitSet.ts"
import type { Directory } from "../Directory.ts"
import { checkLocations } from "./checkLocations.ts"
import { crowded } from "./crowded.ts"
import { type FileFacts, noFacts } from "./FileFacts.ts"
import { type FindingKind, type Findings, findingKinds } from "./Finding.ts"
import { imprecise } from "./imprecise.ts"
import { repeatedAddresses } from "./repeatedAddresses.ts"
import { type Groups, groupCode, groupsOf, type Points, pointsOf, type UnitGroups } from "./UnitGroups.ts"

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
    imprecise(points),
    crowded(points, groups.lga),
    repeatedAddresses(directory, points, groups.lga, facts),
    unnamed(directory, groups),
    emptyStates(directory, groups.state),
    cutOff(facts),
    similarNames(directory),
    ...successors(directory, points, groups)
  ]
  const order = Object.keys(findingKinds)
  return found.filter(({ ids }) => ids.length > 0).sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
}

const unnamed = (directory: Directory, groups: UnitGroups): Findings => {
  const named = new Set<string>(directory.places.map(({ code }) => code))
  const ids: Array<number> = []
  const details: Array<string> = []
  for (const name of ["state", "lga"] as const) {
    const starts = groups[name]
    for (let group = 0; group < starts.length - 1; group++) {
      const first = starts[group] as number
      const code = groupCode(directory, first, name)
      if (named.has(code)) continue
      ids.push(first)
      const units = (starts[group + 1] as number) - first
      details.push(`${code}, ${units === 1 ? "1 unit" : `${units} units`}`)
    }
  }
  return { kind: "unnamed_place", ids, detail: (index) => details[index] as string }
}

/** States without units are reported if most states have none: a file that was cut off begins with some states. */
const emptyStates = (directory: Directory, states: Groups): Findings => {
  const withUnits = new Set(Array.from(states.subarray(0, -1), (first) => groupCode(directory, first, "state")))
  const named = directory.places.filter(({ code }) => code.length === 2)
  const empty = named.filter(({ code }) => !withUnits.has(code))
  const detail = `${empty.length} of ${named.length} states have no unit`
  return { kind: "empty_place", ids: empty.length > named.length / 2 ? [-1] : [], detail: () => detail }
}

const cutOff = ({ cutOff: reason }: FileFacts): Findings => ({
  kind: "cut_off",
  ids: reason === undefined ? [] : [-1],
  detail: () => reason ?? ""
})

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

const successors = (
  directory: Directory,
  { activeBits }: Points,
  { activeInArea, area }: UnitGroups
): ReadonlyArray<Findings> => {
  const circles: Array<number> = []
  const without: Array<number> = []
  for (let at = 0; at < activeInArea.length; at++) {
    const first = area[at] as number
    const end = area[at + 1] as number
    if (activeInArea[at] === end - first) continue
    const retired: Array<number> = []
    for (let id = first; id < end; id++) if (!hasBit(activeBits, id)) retired.push(id)
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
