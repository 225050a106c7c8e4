/**
 * House numbers: odd on one side of a street and even on the other, ascending along it, with gaps where no house stands
 * and suffixes (`12A`) where houses were added. A number depends only on the street and the position, never on the
 * houses before it.
 */
import { child, pick } from "../Hash.ts"

/**
 * The number of the house at a position along a side of a street, both counted from 0, given the street's hash. Numbers
 * on a street are distinct.
 */
export const houseNumber = (street: number, position: number, side: number): string => {
  const group = Math.trunc(position / housesPerGroup)
  const pattern = patterns[pick(child(street, 2 * group + side), patterns.length)] ?? ascending
  const { index, suffix } = pattern[position - housesPerGroup * group] ?? first
  return 2 * (numbersPerGroup * group + index) + side + 1 + suffix
}

/** Eight houses in a row share ten numbers of their side. */
const housesPerGroup = 8
const numbersPerGroup = 10

interface GroupNumber {
  /** The place among the numbers of the group, from 0. */
  readonly index: number
  readonly suffix: string
}

const numbersOf = (text: string): ReadonlyArray<GroupNumber> =>
  text.split(" ").map((number) => ({ index: Number.parseInt(number, 10), suffix: number.replace(/^[0-9]+/, "") }))

const first: GroupNumber = { index: 0, suffix: "" }
const ascending = numbersOf("0 1 2 3 4 5 6 7")

/** How the numbers of eight houses ascend. */
const patterns: ReadonlyArray<ReadonlyArray<GroupNumber>> = [
  ascending,
  ascending,
  numbersOf("0 1 2 3 5 6 7 9"),
  numbersOf("0 1 3 4 5 6 8 9"),
  numbersOf("0 2 3 4 6 7 8 9"),
  numbersOf("1 2 3 4 5 7 8 9"),
  numbersOf("0 1 1A 2 3 5 6 9"),
  numbersOf("0 2 3 4 4A 4B 7 8")
]
