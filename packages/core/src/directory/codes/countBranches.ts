/** Counts the branches of each depth with an active unit. */
import { aboveAllValues, childValue, enterChild, enterRoot, readChildren } from "./Branch.ts"
import type { CodeIndex } from "./CodeIndex.ts"

/** Numbers of branches with an active unit. */
export interface BranchCounts {
  readonly states: number
  readonly lgas: number
  readonly districts: number
  readonly areas: number
}

export const countBranches = (codes: CodeIndex): BranchCounts => {
  const states = childrenOf(codes, [])
  const lgas = states.flatMap((state) => childrenOf(codes, [state]).map((lga) => [state, lga]))
  const districts = lgas.flatMap((lga) => childrenOf(codes, lga).map((district) => [...lga, district]))
  const areas = districts.reduce((sum, district) => sum + readBelow(codes, district), 0)
  return { states: states.length, lgas: lgas.length, districts: districts.length, areas }
}

/** The segment values of the children of a branch. */
const childrenOf = (codes: CodeIndex, path: ReadonlyArray<number>): ReadonlyArray<number> => {
  const count = readBelow(codes, path)
  return Array.from({ length: count }, (_, rank) => childValue(rank))
}

const readBelow = (codes: CodeIndex, path: ReadonlyArray<number>): number => {
  enterRoot(codes)
  for (const value of path) enterChild(value)
  return readChildren(0, aboveAllValues, aboveAllValues)
}
