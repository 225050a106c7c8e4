/**
 * Allocation of a search: the growth of the heap over many searches. The process needs `allocationFlags`, which prevent
 * collections during the measurement.
 */
import { setTimeout } from "node:timers/promises"
import { getHeapStatistics } from "node:v8"
import { nearest } from "@postcode/core/ReverseGeocoder"
import { openSnapshotFile } from "@postcode/node"
import { around } from "geokdbush"
import { compared, type Figure } from "../../Bench.ts"
import { median } from "../../measure.ts"
import { nearUnits, type Points } from "../Points.ts"
import { kdbushOf, peerNames, positionsOf } from "../peers/Peers.ts"

/** The size of the young generation in megabytes: more than one round of a peer allocates. */
export const allocationFlags: ReadonlyArray<string> = [
  "--expose-gc",
  "--min-semi-space-size=256",
  "--max-semi-space-size=256"
]

export interface AllocationParameter {
  /** The path of the directory's snapshot. */
  readonly path: string
  readonly points: number
  readonly rounds: number
}

export const allocation = async (
  parameter: AllocationParameter,
  progress: (message: string) => void
): Promise<ReadonlyArray<Figure>> => {
  const { path, points, rounds } = parameter
  const { directory } = await openSnapshotFile(path)
  const index = kdbushOf(positionsOf(directory))
  const near = nearUnits(directory, Math.min(points, maxPoints), 4)
  progress("allocation: nearest within 25 m, beside geokdbush")
  const ours = ({ coordinates }: Points): number => {
    let found = 0
    for (const coordinate of coordinates) {
      last = nearest(directory, coordinate, 25)
      if (last !== undefined) found++
    }
    return found
  }
  const peers = ({ lats, lons }: Points): number => {
    let found = 0
    for (let i = 0; i < lats.length; i++) {
      const ids = around(index, lons[i] as number, lats[i] as number, 1, 0.025)
      last = ids
      found += ids.length
    }
    return found
  }
  // The allocation of the measurement itself, per round.
  const nothing = await growth(() => 0, near, rounds)
  return [
    compared("less", {
      bench: "directory",
      figure: "allocated by nearest within 25 m",
      value: ((await growth(ours, near, rounds)) - nothing) / near.lats.length,
      unit: "bytes",
      peer: peerNames.around,
      peer_value: ((await growth(peers, near, rounds)) - nothing) / near.lats.length
    })
  ]
}

/** A round of the peer must fit into the young generation. */
const maxPoints = 5_000

/** Keeps the last result, so that the compiler cannot remove the search. */
let last: unknown

/** The growth of the heap in a round, in bytes. */
const growth = async (work: (points: Points) => number, points: Points, rounds: number): Promise<number> => {
  const growths: Array<number> = []
  for (let round = 0; round < warm_up_rounds + rounds; round++) {
    // Compiler threads also allocate on the heap.
    await setTimeout(round < warm_up_rounds ? 20 : 0)
    globalThis.gc?.()
    const before = getHeapStatistics().used_heap_size
    work(points)
    const after = getHeapStatistics().used_heap_size
    if (round >= warm_up_rounds) growths.push(after - before)
  }
  if (last === points) throw new Error("a search answered the points themselves")
  return median(growths)
}

const warm_up_rounds = 20
