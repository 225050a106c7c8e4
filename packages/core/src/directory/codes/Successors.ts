/**
 * The successors of retired units. Few units have one, so they are a sorted list beside the tree. A successor need not
 * exist in the same directory, and may be retired itself.
 */
import { type Arrays, ownArrays } from "../Arrays.ts"
import { firstFrom } from "./CodeOrder.ts"

/** Retired units with a successor, in code order, as columns of packed codes. */
export interface Successors {
  readonly codes: Float64Array
  /** The successor of each. */
  readonly replacedBy: Float64Array
}

/** In place of the packed code of a successor. */
export const noSuccessor = -1

/** From pairs of packed codes, a unit and its successor, in the order of units. */
export const successorsOf = (
  pairs: ReadonlyArray<readonly [code: number, successor: number]>,
  arrays: Arrays = ownArrays
): Successors => {
  const codes = arrays.float64s(pairs.length)
  const replacedBy = arrays.float64s(pairs.length)
  for (const [at, [code, successor]] of pairs.entries()) {
    codes[at] = code
    replacedBy[at] = successor
  }
  return { codes, replacedBy }
}

/** The successor of a unit; `noSuccessor` if it has none. */
export const successorIn = ({ codes, replacedBy }: Successors, code: number): number => {
  const at = firstFrom(codes, code)
  return codes[at] === code ? (replacedBy[at] as number) : noSuccessor
}

/** Why a unit cannot have a successor; undefined if it can. */
export const successorFault = (code: number, active: boolean, successor: number): string | undefined => {
  if (active) return "replaced_by: expected nothing, as the unit is active"
  return code === successor ? "replaced_by: expected the postcode of another unit" : undefined
}
