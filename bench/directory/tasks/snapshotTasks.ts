/** The steps of `snapshots`, each in its own process. */
import { nearest } from "@postcode/core/ReverseGeocoder"
import { snapshotHeader } from "@postcode/core/Snapshot"
import { openSnapshotFile, readSnapshotFile, writeSnapshotFile } from "@postcode/node"
import KDBush from "kdbush"
import { compared, type Figure } from "../../Bench.ts"
import { buildDirectory, demoRows } from "../DemoRows.ts"
import { nearUnits } from "../Points.ts"
import { peerNames } from "../peers/Peers.ts"

export interface BuildFromRowsParameter {
  readonly units: number
  /** The path of the snapshot to write. */
  readonly path: string | undefined
}

/** The time to build or open a directory, and the peak memory until then. */
export interface Arrival {
  readonly time_ms: number
  readonly peak_bytes: number
}

export const buildFromRows = async ({ path, units }: BuildFromRowsParameter): Promise<Arrival> => {
  const rows = demoRows(units)
  const start = performance.now()
  const directory = buildDirectory(rows)
  const arrival = { time_ms: performance.now() - start, peak_bytes: peakMemory_bytes() }
  if (path !== undefined) await writeSnapshotFile(directory, path)
  return arrival
}

export interface OpenSnapshotParameter {
  readonly path: string
  readonly units: number
}

/** The first opening in this process, until the directory answers a search. */
export const openSnapshot = async ({ path, units }: OpenSnapshotParameter): Promise<Arrival> => {
  const start = performance.now()
  const { directory } = await openSnapshotFile(path)
  const last = directory.postcodeAt(directory.size - 1)
  const time_ms = performance.now() - start
  if (directory.size !== units) throw new Error(`${directory.size} units up to ${last}, expected ${units}`)
  for (const point of nearUnits(directory, 10_000, 5).coordinates) nearest(directory, point, 25)
  return { time_ms, peak_bytes: peakMemory_bytes() }
}

const peakMemory_bytes = (): number => process.resourceUsage().maxRSS * 1024

export interface SnapshotSizesParameter {
  readonly path: string
}

/** Bytes per unit, in total and by section. */
export const snapshotSizes = async ({ path }: SnapshotSizesParameter): Promise<ReadonlyArray<Figure>> => {
  const { length_bytes, sections, units } = snapshotHeader(await readSnapshotFile(path))
  const names_bytes = sections.find(({ name }) => name === "places")?.length_bytes ?? 0
  const peer_bytes = new KDBush(units).data.byteLength + units * Float64Array.BYTES_PER_ELEMENT
  const common = { bench: "directory", unit: "bytes a unit" }
  return [
    compared("less", {
      ...common,
      figure: "snapshot, all sections but names",
      value: (length_bytes - names_bytes) / units,
      peer: `${peerNames.kdbush} Float64 and packed codes`,
      peer_value: peer_bytes / units
    }),
    ...sections
      .filter((section) => section.name !== "places" && section.length_bytes >= units / 20)
      .map((section) =>
        compared("less", {
          ...common,
          figure: `snapshot, of which ${section.name}`,
          value: section.length_bytes / units,
          peer: null,
          peer_value: null
        })
      )
  ]
}
