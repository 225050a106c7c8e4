/** Building a snapshot from CSV, by the command that a person types, beside a parser that only reads the same file. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { stat } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import type { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { compared, type Figure } from "../Bench.ts"
import { median } from "../measure.ts"
import { inFreshProcess, type ProcessOptions } from "./FreshProcess.ts"
import { peerNames } from "./Peers.ts"
import type { Arrival } from "./snapshotTasks.ts"

/** Makes the CSV files in a folder, builds and parses in turn, each time in a fresh process. */
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
  const parsedRows = Math.min(units, mostParsedRows)
  const build_s: Array<number> = []
  const peaks_bytes: Array<number> = []
  const parsed_rows_s: Array<number> = []
  const opened_ms: Array<number> = []
  for (let round = 1; round <= rounds; round++) {
    options.progress(`csv: postcode snapshot build, ${round} of ${rounds}`)
    const built = await runBuild(csv, snapshot, options)
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
    figure: "building from CSV, ten columns",
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

/** A parser needs no more to show its pace. */
const mostParsedRows = 2_000_000

interface Built {
  /** Of the whole command, from its start to its end. */
  readonly time_s: number
  readonly peak_bytes: number
}

const runBuild = async (csv: string, snapshot: string, { nodeFlags, signal }: ProcessOptions): Promise<Built> => {
  const start = performance.now()
  const reporter = new URL("./reportPeakMemory.ts", import.meta.url).href
  const build = ["snapshot", "build", csv, "-o", snapshot, "--force"]
  const child = spawn(process.execPath, [...nodeFlags, "--import", reporter, command(nodeFlags), ...build], {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    signal
  })
  const [stdout, stderr, peak] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stderr as Readable),
    text(child.stdio[3] as Readable),
    child.exitCode === null ? once(child, "close") : undefined
  ])
  const time_s = (performance.now() - start) / 1000
  if (child.exitCode !== 0) throw new Error(`postcode snapshot build: exit code ${child.exitCode}\n${stdout}${stderr}`)
  return { time_s, peak_bytes: Number(peak) }
}

const require = createRequire(import.meta.url)

/** The built command; with sources for packages, its source. */
const command = (nodeFlags: ReadonlyArray<string>): string => {
  const folder = dirname(require.resolve("@postcode/cli/package.json"))
  return join(folder, nodeFlags.includes("--conditions=@postcode/source") ? "src/main.ts" : "dist/main.js")
}
