/** Building a snapshot from CSV with the command, compared with a parser that only reads the same file. */
import { stat } from "node:fs/promises"
import { join } from "node:path"
import { compared, type Figure } from "../Bench.ts"
import { median } from "../measure.ts"
import { inFreshProcess, type ProcessOptions } from "../process/FreshProcess.ts"
import { runCommand } from "../process/runCommand.ts"
import { peerNames } from "./peers/Peers.ts"
import type { Arrival } from "./tasks/snapshotTasks.ts"

/** Writes the CSV files, then builds and parses alternately, each time in a new process. */
export async function* csvBuild(
  units: number,
  folder: string,
  rounds: number,
  options: ProcessOptions
): AsyncGenerator<Figure> {
  const csv = join(folder, "csv")
  const snapshot = join(folder, "csv.snapshot")
  options.progress("csv: writing the files to build from")
  await inFreshProcess("writeCsv", { units, folder: csv }, options)
  const parsedRows = Math.min(units, maxParsedRows)
  const build_s: Array<number> = []
  const peaks_bytes: Array<number> = []
  const parsed_rows_s: Array<number> = []
  const opened_ms: Array<number> = []
  for (let round = 1; round <= rounds; round++) {
    options.progress(`csv: postcode snapshot build, ${round} of ${rounds}`)
    const built = await runCommand(["snapshot", "build", csv, "-o", snapshot, "--force"], options)
    build_s.push(built.time_s)
    peaks_bytes.push(built.peak_bytes)
    const opened: Arrival = await inFreshProcess("openSnapshot", { path: snapshot, units }, options)
    opened_ms.push(opened.time_ms)
    options.progress(`csv: ${peerNames.papaparse} reading ${parsedRows} rows, ${round} of ${rounds}`)
    const parsed = await inFreshProcess("parseCsv", { path: join(csv, "units.csv"), rows: parsedRows }, options)
    parsed_rows_s.push(parsed.rows / parsed.time_s)
  }
  const common = { bench: "directory", peer: null, peer_value: null }
  const slice = parsedRows < units ? `, the first ${parsedRows.toLocaleString("en")} rows` : ""
  yield compared("more", {
    ...common,
    figure: "building from CSV, eleven columns",
    value: units / median(build_s),
    unit: "rows/s",
    peer: `${peerNames.papaparse}, reading alone${slice}`,
    peer_value: median(parsed_rows_s)
  })
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

/** Enough to measure a parser's speed. */
const maxParsedRows = 2_000_000
