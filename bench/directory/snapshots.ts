/** Snapshots: size, and opening time compared with building the same directory. */

import { compared, type Figure } from "../Bench.ts"
import { median } from "../measure.ts"
import { inFreshProcess, type ProcessOptions } from "../process/FreshProcess.ts"
import type { Arrival } from "./tasks/snapshotTasks.ts"

/**
 * Creates the snapshot of all other steps. Building and opening alternate, each time in a new process; the first build
 * writes the file.
 */
export async function* snapshots(
  units: number,
  path: string,
  rounds: number,
  options: ProcessOptions
): AsyncGenerator<Figure> {
  const built: Array<Arrival> = []
  const opened: Array<Arrival> = []
  for (let round = 1; round <= rounds; round++) {
    options.progress(`snapshot: building the directory from rows in memory, ${round} of ${rounds}`)
    built.push(await inFreshProcess("buildFromRows", { units, path: round === 1 ? path : undefined }, options))
    options.progress(`snapshot: opening it, ${round} of ${rounds}`)
    for (let opening = 0; opening < openings; opening++) {
      opened.push(await inFreshProcess("openSnapshot", { path, units }, options))
    }
  }
  const common = { bench: "directory", peer: "building the directory from rows in memory" }
  yield compared("less", {
    ...common,
    figure: "opening a snapshot, checksums included",
    value: median(opened.map(({ time_ms }) => time_ms)),
    unit: "ms",
    peer_value: median(built.map(({ time_ms }) => time_ms))
  })
  yield compared("less", {
    ...common,
    figure: "opening a snapshot and answering, peak memory",
    value: median(opened.map(({ peak_bytes }) => peak_bytes)),
    unit: "bytes",
    peer_value: median(built.map(({ peak_bytes }) => peak_bytes))
  })
  yield* await inFreshProcess("snapshotSizes", { path }, options)
}

/** The time limit of each build. */
const openings = 3
