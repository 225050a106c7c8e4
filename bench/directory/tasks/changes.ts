/** Search throughput with and without concurrent changes to the directory. */
import { type Coordinate, toE7 } from "@postcode/core/Coordinate"
import { type Directory, pack, unpack } from "@postcode/core/Directory"
import { LiveDirectory, type UnitChange } from "@postcode/core/LiveDirectory"
import type { Postcode } from "@postcode/core/Postcode"
import { nearest } from "@postcode/core/ReverseGeocoder"
import { mergeInWorker, openSnapshotFile } from "@postcode/node"
import { randomNumbers } from "../../../test/RandomNumbers.ts"
import { compared, type Figure } from "../../Bench.ts"
import { median } from "../../measure.ts"
import { nearUnits } from "../Points.ts"

export interface ChangesParameter {
  /** The path of the directory's snapshot. */
  readonly path: string
  readonly points: number
  readonly rounds: number
  /** The duration of a round with changes; without changes it is half as long. */
  readonly round_s: number
}

export const changes = async (
  { path, points, round_s, rounds }: ChangesParameter,
  progress: (message: string) => void
): Promise<ReadonlyArray<Figure>> => {
  const { directory } = await openSnapshotFile(path)
  const { coordinates } = nearUnits(directory, points, 10)
  let merges = 0
  const live = new LiveDirectory(directory, {
    merge: async (of) => {
      const merged = await mergeInWorker(of)
      merges++
      return merged
    }
  })
  const feed = makeChanges(directory)
  const without: Array<number> = []
  const during: Array<number> = []
  await searchFor(0.5, live, coordinates, [])
  for (let round = 1; round <= rounds; round++) {
    progress(`changes: searching, first without changes, then with ${changes_s} a second, ${round} of ${rounds}`)
    without.push(await searchFor(round_s / 2, live, coordinates, []))
    const next = Array.from({ length: Math.ceil(round_s * changes_s) }, () => feed.next().value as UnitChange)
    during.push(await searchFor(round_s, live, coordinates, next))
    await live.settled()
  }
  progress(`changes: ${live.current.changes} changes, ${merges} merges in a worker thread meanwhile`)
  return [
    compared("more", {
      bench: "directory",
      figure: `nearest within 25 m, at ${changes_s.toLocaleString("en")} changes/s`,
      value: median(during),
      unit: "searches/s",
      peer: "the same without changes",
      peer_value: median(without)
    })
  ]
}

const changes_s = 5_000
const searchesAtOnce = 1_000

/** Searches per second. Change batches are applied between every thousand searches. */
const searchFor = async (
  time_s: number,
  live: LiveDirectory,
  coordinates: ReadonlyArray<Coordinate>,
  changes: ReadonlyArray<UnitChange>
): Promise<number> => {
  const start = performance.now()
  let searches = 0
  let applied = 0
  let found = 0
  for (;;) {
    const elapsed_s = (performance.now() - start) / 1000
    if (elapsed_s >= time_s) break
    const due = Math.min(Math.floor(elapsed_s * changes_s), changes.length)
    if (due > applied) apply(live, changes.slice(applied, due))
    applied = due
    const { current } = live
    for (let search = 0; search < searchesAtOnce; search++) {
      const at = coordinates[(searches + search) % coordinates.length] as Coordinate
      if (nearest(current, at, 25) !== undefined) found++
    }
    searches += searchesAtOnce
    // A merge is completed in a separate event-loop tick.
    await new Promise(setImmediate)
  }
  if (found < searches / 2) throw new Error(`${found} of ${searches} searches found a unit`)
  return searches / ((performance.now() - start) / 1000)
}

const apply = (live: LiveDirectory, changes: ReadonlyArray<UnitChange>): void => {
  const result = live.apply(changes)
  if (!result.ok) throw new Error(`a change was refused: ${result.faults[0]?.reason}`)
}

/** Changes to random units: of ten, six move some metres, one retires, one retired returns, and two are new. */
function* makeChanges(directory: Directory): Generator<UnitChange> {
  const random = randomNumbers(11)
  const added = new Set<number>()
  const retired: Array<Postcode> = []
  for (let count = 0; ; count++) {
    const id = Math.floor(random() * directory.size)
    const postcode = directory.postcodeAt(id)
    const { lat, lon } = directory.coordinateAt(id)
    const coordinate = { lat: toE7(lat + 0.0001 * random()) / 1e7, lon: toE7(lon + 0.0001 * random()) / 1e7 }
    const back = count % 10 === 1 && retired.length > retiredAtOnce ? retired.shift() : undefined
    if (back !== undefined) {
      yield { change: "reactivate", postcode: back }
    } else if (count % 10 === 0 && directory.isActive(id)) {
      retired.push(postcode)
      yield { change: "retire", postcode }
    } else if (count % 10 === 2 || count % 10 === 3) {
      // The next unused code.
      let code = pack(postcode)
      while (added.has(code) || directory.find(unpack(code)) >= 0) code++
      added.add(code)
      yield { change: "add", postcode: unpack(code), coordinate }
    } else {
      yield { change: "move", postcode, coordinate }
    }
  }
}

const retiredAtOnce = 1_000
