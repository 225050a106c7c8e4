/** Building a snapshot from CSV with the command, beside parsers that only read the same file. */
import { stat } from "node:fs/promises"
import { join } from "node:path"
import { compared, type Figure } from "../Bench.ts"
import { CsvPeers } from "../import/CsvPeers.ts"
import { median } from "../measure.ts"
import { inFreshProcess, type ProcessOptions } from "../process/FreshProcess.ts"
import { runCommand } from "../process/runCommand.ts"
import type { Arrival } from "./tasks/snapshotTasks.ts"

/** Writes the CSV files, then builds and parses alternately, each time in a new process. */
export async function* csvBuild(
  units: number,
  folder: string,
  { installsPeers, rounds }: { readonly installsPeers: boolean; readonly rounds: number },
  options: ProcessOptions
): AsyncGenerator<Figure> {
  const csv = join(folder, "csv")
  const snapshot = join(folder, "csv.snapshot")
  options.progress("csv: writing the files to build from")
  await inFreshProcess("writeCsv", { units, folder: csv }, options)
  const read = { path: join(csv, "units.csv"), units, folder, installs: installsPeers }
  const peers = await CsvPeers.open(read, options)
  const build_s: Array<number> = []
  const peaks_bytes: Array<number> = []
  const opened_ms: Array<number> = []
  for (let round = 1; round <= rounds; round++) {
    options.progress(`csv: postcode snapshot build, ${round} of ${rounds}`)
    const built = await runCommand(["snapshot", "build", csv, "-o", snapshot, "--force"], options)
    build_s.push(built.time_s)
    peaks_bytes.push(built.peak_bytes)
    const opened: Arrival = await inFreshProcess("openSnapshot", { path: snapshot, units }, options)
    opened_ms.push(opened.time_ms)
    await peers.readRound(options)
  }
  const common = { bench: "directory", peer: null, peer_value: null }
  const built = { bench: "directory", value: units / median(build_s), unit: "rows/s" }
  yield* peers.figures({ ...built, figure: "building from CSV, eleven columns" })
  yield compared("less", {
    ...common,
    figure: "opening the snapshot that was built, checksums included",
    value: median(opened_ms),
    unit: "ms",
    peer: "building it from CSV",
    peer_value: 1000 * median(build_s)
  })
  const { size } = await stat(snapshot)
  yield compared("less", {
    ...common,
    figure: "building from CSV, peak memory",
    value: median(peaks_bytes),
    unit: "bytes"
  })
  yield compared("less", { ...common, figure: "building from CSV, the snapshot built", value: size, unit: "bytes" })
}
