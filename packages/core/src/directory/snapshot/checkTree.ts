/**
 * Checks the segment tree of a snapshot, so that every walk of it stays within its arrays, ends, and returns postcodes.
 * Plain loops, because it runs at every opening.
 */

import { segmentValues } from "../../postcode/SegmentValue.ts"
import { activeIn, lastWordBits, wordsPerArea } from "../codes/AreaUnits.ts"
import { countBits } from "../codes/Bits.ts"
import type { SegmentTree, TreeLevel } from "../codes/SegmentTree.ts"
import { contradiction, type SnapshotHeader } from "./Header.ts"
import { InvalidSnapshot } from "./InvalidSnapshot.ts"

/** @throws InvalidSnapshot */
export const checkTree = (tree: SegmentTree, header: Pick<SnapshotHeader, "activeUnits" | "units">): void => {
  const { areas, levels } = tree
  checkLength("tree.area.units", areas.units.length, wordsPerArea * areas.values.length)
  for (const [depth, { active, starts, values }] of levels.entries()) {
    const name = `tree.${levelNames[depth]}`
    checkLength(`${name}.starts`, starts.length, values.length + 1)
    checkLength(`${name}.active`, active.length, values.length)
    checkStarts(`${name}.starts`, starts, (levels[depth + 1] ?? areas).values.length)
  }
  checkSiblings(tree)
  const activeInAreas = new Uint8Array(areas.values.length)
  const units = countUnits(areas.units, activeInAreas)
  if (units !== header.units) throw contradiction(`${units} units instead of the header's ${header.units}`)
  checkActive(tree, activeInAreas, header.activeUnits)
}

/** @throws InvalidSnapshot unless a section has the number of elements that the other sections require */
const checkLength = (section: string, found: number, expected: number): void => {
  if (found !== expected) throw contradiction(`section ${section} has ${found} elements instead of ${expected}`)
}

const levelNames = ["state", "lga", "district"] as const

/** Every node must have children, and every child one parent. */
const checkStarts = (section: string, starts: Uint32Array, children: number): void => {
  let last = -1
  for (let node = 0; node < starts.length; node++) {
    const start = starts[node] as number
    if (start <= last) throw new InvalidSnapshot(`section ${section}: expected element ${node} above the one before it`)
    last = start
  }
  if (starts[0] !== 0 || last !== children) {
    throw contradiction(`section ${section} goes from ${starts[0]} to ${last} instead of from 0 to ${children}`)
  }
}

const checkSiblings = ({ areas, levels: [states, lgas, districts] }: SegmentTree): void => {
  const roots = Uint32Array.of(0, states.values.length)
  checkAscending("tree.state.values", states.values, roots, segmentValues.state)
  checkAscending("tree.lga.values", lgas.values, states.starts, segmentValues.lga)
  checkAscending("tree.district.values", districts.values, lgas.starts, segmentValues.district)
  checkAscending("tree.area.values", areas.values, districts.starts, segmentValues.area)
}

const checkAscending = (section: string, values: Uint16Array, starts: Uint32Array, below: number): void => {
  for (let parent = 0; parent + 1 < starts.length; parent++) {
    const end = starts[parent + 1] as number
    let last = -1
    for (let at = starts[parent] as number; at < end; at++) {
      const value = values[at] as number
      if (value <= last || value >= below) {
        throw new InvalidSnapshot(
          `section ${section}: expected element ${at} above its elder siblings and below ${below}`
        )
      }
      last = value
    }
  }
}

/**
 * The number of units in all areas. Writes the number of active units of each. One pass, because areas are most of the
 * tree.
 *
 * @throws InvalidSnapshot if an area is empty, has active units that do not exist, or its counts are not those of its
 *   bits
 */
const countUnits = (words: Uint32Array, active: Uint8Array): number => {
  let units = 0
  for (let area = 0, at = 0; area < active.length; area++, at += wordsPerArea) {
    const last = words[at + 3] as number
    const lastActive = words[at + 7] as number
    const below32 = countBits(words[at] as number)
    const below64 = below32 + countBits(words[at + 1] as number)
    const below96 = below64 + countBits(words[at + 2] as number)
    const count = below96 + countBits(last & lastWordBits)
    const counts = (below32 << 8) | (below64 << 16) | (below96 << 24)
    const surplus =
      ((words[at + 4] as number) & ~(words[at] as number)) |
      ((words[at + 5] as number) & ~(words[at + 1] as number)) |
      ((words[at + 6] as number) & ~(words[at + 2] as number)) |
      (lastActive & ~last & lastWordBits)
    if (last >>> 4 !== units || (lastActive & ~lastWordBits) !== counts || count === 0 || surplus !== 0) {
      throw new InvalidSnapshot(
        `section tree.area.units: area ${area} is empty, has active units that do not exist, or counts its units wrong`
      )
    }
    active[area] = activeIn(words, area)
    units += count
  }
  return units
}

const checkActive = ({ levels }: SegmentTree, activeInAreas: Uint8Array, activeUnits: number): void => {
  let below: ArrayLike<number> = activeInAreas
  for (let depth = 2; depth >= 0; depth--) {
    const level = levels[depth as 0 | 1 | 2]
    const wrong = wrongSum(level, below)
    if (wrong >= 0) {
      throw contradiction(`section tree.${levelNames[depth]}.active, element ${wrong}, is not what lies below it`)
    }
    below = level.active
  }
  const total = levels[0].active.reduce((sum, count) => sum + count, 0)
  if (total !== activeUnits) throw contradiction(`${total} active units instead of the header's ${activeUnits}`)
}

/** The first node with a count that is not the sum of its children's, or −1. */
const wrongSum = ({ active, starts }: TreeLevel, childrenActive: ArrayLike<number>): number => {
  for (let node = 0; node < active.length; node++) {
    let sum = 0
    for (let child = starts[node] as number; child < (starts[node + 1] as number); child++) {
      sum += childrenActive[child] as number
    }
    if (sum !== active[node]) return node
  }
  return -1
}
