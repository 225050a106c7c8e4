/**
 * Whether a segment tree is one that code could have been built: so that whatever walks it stays within its arrays, ends,
 * and answers with postcodes. Plain loops, as it is run on every opening.
 */
import { InvalidSnapshot } from "../../InvalidSnapshot.ts"
import { segmentValues } from "../../PackedCode.ts"
import type { SegmentTree, TreeLevel } from "../SegmentTree.ts"
import { contradiction, type SnapshotHeader } from "./Header.ts"

/** @throws InvalidSnapshot */
export const checkTree = (tree: SegmentTree, header: Pick<SnapshotHeader, "activeUnits" | "units">): void => {
  const { activeBits, levels, units } = tree
  checkLength("tree.units", units.length, header.units)
  checkLength("tree.activeBits", activeBits.length, Math.ceil(units.length / 8))
  for (const [depth, level] of levels.entries()) {
    const { active, starts, values } = level
    const name = `tree.${levelNames[depth]}`
    checkLength(`${name}.starts`, starts.length, values.length + 1)
    checkLength(`${name}.active`, active.length, values.length)
    checkStarts(`${name}.starts`, starts, levels[depth + 1]?.values.length ?? units.length)
  }
  checkSiblings(tree)
  checkActive(tree, header.activeUnits)
}

/** @throws InvalidSnapshot unless a section has as many elements as the others call for */
const checkLength = (section: string, found: number, expected: number): void => {
  if (found !== expected) throw contradiction(`section ${section} has ${found} elements instead of ${expected}`)
}

/** @throws InvalidSnapshot if a bit behind the last one that counts is set */
const checkLastBits = (section: string, bits: Uint8Array, count: number): void => {
  if ((count & 7) !== 0 && (bits[count >>> 3] as number) >>> (count & 7) !== 0) {
    throw new InvalidSnapshot(`section ${section}: expected zeros behind bit ${count - 1}`)
  }
}

const levelNames = ["state", "lga", "district", "area"] as const

/** Every node has children, and every child one parent. */
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

const checkSiblings = ({ levels, units }: SegmentTree): void => {
  const [states, lgas, districts, areas] = levels
  const roots = Uint32Array.of(0, states.values.length)
  checkAscending("tree.state.values", states.values, roots, segmentValues.state)
  checkAscending("tree.lga.values", lgas.values, states.starts, segmentValues.lga)
  checkAscending("tree.district.values", districts.values, lgas.starts, segmentValues.district)
  checkAscending("tree.area.values", areas.values, districts.starts, segmentValues.area)
  checkUnits(units, areas.starts)
}

const checkAscending = (
  section: string,
  values: Uint16Array | Uint8Array,
  starts: Uint32Array,
  below: number
): void => {
  for (let parent = 0; parent + 1 < starts.length; parent++) {
    const end = starts[parent + 1] as number
    let last = -1
    for (let at = starts[parent] as number; at < end; at++) {
      const value = values[at] as number
      if (value <= last || value >= below) throw notAscending(section, at, below)
      last = value
    }
  }
}

/**
 * The same for units. They are by far the most, so first it is only counted: a unit may be no higher than the one before
 * it only where an area starts.
 */
const checkUnits = (units: Uint8Array, starts: Uint32Array): void => {
  let allowed = 0
  for (let area = 0; area + 1 < starts.length; area++) {
    const id = starts[area] as number
    if ((units[id] as number) <= (id === 0 ? 0 : (units[id - 1] as number))) allowed++
  }
  if (countDescents(units) !== allowed) checkAscending("tree.units", units, starts, segmentValues.unit)
}

const everyHighBit = 0x80808080 | 0
const oneEach = 0x01010101
/** Added to a byte below 128, it sets the high bit of those that are no unit. */
const unitOverflow = (128 - segmentValues.unit) * oneEach

/**
 * How many units are not above the one before them, the first one being compared to 0; −1 if one is out of range. Four
 * at a time, as the bytes of a word: with the high bit set in the word only, no byte borrows of the next.
 */
const countDescents = (units: Uint8Array): number => {
  const view = new DataView(units.buffer, units.byteOffset, units.length)
  const whole = units.length - (units.length % 4)
  let descents = 0
  let overflow = 0
  let before = 0
  for (let at = 0; at < whole; at += 4) {
    const word = view.getInt32(at, true)
    overflow |= word | (word + unitOverflow)
    const ascents = (word | everyHighBit) - (((word << 8) | before) + oneEach)
    descents += Math.imul((~ascents & everyHighBit) >>> 7, oneEach) >>> 24
    before = word >>> 24
  }
  for (let at = whole; at < units.length; at++) {
    const unit = units[at] as number
    overflow |= unit | (unit + unitOverflow)
    if (unit <= before) descents++
    before = unit
  }
  return (overflow & everyHighBit) === 0 ? descents : -1
}

const notAscending = (section: string, at: number, below: number) =>
  new InvalidSnapshot(`section ${section}: expected element ${at} above its elder siblings and below ${below}`)

const checkActive = ({ activeBits, levels, units }: SegmentTree, activeUnits: number): void => {
  checkLastBits("tree.activeBits", activeBits, units.length)
  let below: TreeLevel | undefined
  for (let depth = 3; depth >= 0; depth--) {
    const level = levels[depth as 0 | 1 | 2 | 3]
    const wrong = below === undefined ? wrongAreaCount(level, activeBits) : wrongSum(level, below.active)
    if (wrong >= 0)
      throw contradiction(`section tree.${levelNames[depth]}.active, element ${wrong}, is not what lies below it`)
    below = level
  }
  const total = levels[0].active.reduce((sum, count) => sum + count, 0)
  if (total !== activeUnits) throw contradiction(`${total} active units instead of the header's ${activeUnits}`)
}

/** The first area whose count of active units is not that of the bits, or −1. */
const wrongAreaCount = ({ active, starts }: TreeLevel, bits: Uint8Array): number => {
  for (let area = 0; area < active.length; area++) {
    if (countBits(bits, starts[area] as number, starts[area + 1] as number) !== active[area]) return area
  }
  return -1
}

/** The first node whose count is not the sum of its children's, or −1. */
const wrongSum = ({ active, starts }: TreeLevel, childrenActive: Uint32Array): number => {
  for (let node = 0; node < active.length; node++) {
    let sum = 0
    for (let child = starts[node] as number; child < (starts[node + 1] as number); child++) {
      sum += childrenActive[child] as number
    }
    if (sum !== active[node]) return node
  }
  return -1
}

/** How many bits are set from `first` below `end`, which lies behind it. */
const countBits = (bits: Uint8Array, first: number, end: number): number => {
  const firstByte = first >>> 3
  const lastByte = (end - 1) >>> 3
  const fromFirst = (0xff << (first & 7)) & 0xff
  const upToLast = 0xff >>> (7 - ((end - 1) & 7))
  if (firstByte === lastByte) return setBits[(bits[firstByte] as number) & fromFirst & upToLast] as number
  let count = setBits[(bits[firstByte] as number) & fromFirst] as number
  for (let byte = firstByte + 1; byte < lastByte; byte++) count += setBits[bits[byte] as number] as number
  return count + (setBits[(bits[lastByte] as number) & upToLast] as number)
}

/** The number of bits set in each byte. */
const setBits = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll("0", "").length)
