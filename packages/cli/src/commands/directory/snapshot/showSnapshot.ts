/** `postcode snapshot info`: describes and verifies a snapshot. */
import { stat } from "node:fs/promises"
import { Directory } from "@postcode/core/Directory"
import { InvalidSnapshot, type SnapshotHeader, snapshotHeader } from "@postcode/core/Snapshot"
import { readSnapshotFile } from "@postcode/node"
import { missingFile } from "@postcode/server/directory/missingFile"
import { validSnapshot } from "@postcode/server/directory/openSnapshot"
import { commandName } from "@postcode/server/process/CommandName"
import { CommandFailure } from "@postcode/server/process/ExitCode"
import { writeData, writeJson } from "@postcode/server/process/Output"
import { grouped } from "@postcode/server/process/Progress"
import { untilSettled } from "@postcode/server/process/UntilSettled"
import { Effect } from "effect"
import { recordText, tableText } from "../../../terminal/Print.ts"
import type { View } from "../../../terminal/Table.ts"

/** Which snapshot, and the output format. */
export interface InfoOptions {
  readonly file: string
  readonly json: boolean
}

/** Prints what can be read, then fails if the file is damaged. */
export const showSnapshot = ({ file, json }: InfoOptions): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const image = yield* untilSettled((signal) => read(file, signal))
    const header = yield* attempt(file, () => snapshotHeader(image))
    const opened = yield* Effect.result(attempt(file, () => Directory.open(image)))
    const states = opened._tag === "Success" ? opened.success.states().length : undefined
    const info = describe(file, header, states)
    yield* json ? writeJson(info) : writeData(`${recordText(facts, info)}\n${tableText(layout, info.sections)}`)
    if (opened._tag === "Failure") yield* Effect.fail(opened.failure)
  })

const read = async (file: string, signal: AbortSignal): Promise<SharedArrayBuffer> => {
  const stats = await stat(file).catch(() => undefined)
  if (stats === undefined) throw missingFile(file, `${commandName()} snapshot build PATH -o ${file} makes one`)
  if (stats.isDirectory()) {
    throw new CommandFailure(`${file} is a folder: expected a snapshot, which postcode snapshot build makes of one`)
  }
  return await readSnapshotFile(file, { signal })
}

const attempt = <A>(file: string, open: () => A): Effect.Effect<A, CommandFailure> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(open())
    } catch (error) {
      if (error instanceof InvalidSnapshot) {
        return Effect.fail(new CommandFailure(`${file}: ${error.message}\nexpected ${validSnapshot}`))
      }
      throw error
    }
  })

/** @param states the number of states with an active unit; undefined if the file is damaged */
const describe = (file: string, header: SnapshotHeader, states: number | undefined) => {
  const { activeUnits, changes, date, formatVersion, length_bytes, sections, units, version } = header
  const perUnit = (size_bytes: number) => (units === 0 ? 0 : Number((size_bytes / units).toFixed(2)))
  return {
    file,
    format_version: formatVersion,
    data_version: version,
    data_date: date,
    changes,
    units,
    active_units: activeUnits,
    states,
    size_bytes: length_bytes,
    bytes_per_unit: perUnit(length_bytes),
    /** Whether all checksums match and the sections are consistent. */
    intact: states !== undefined,
    /** Whether the units can be found by address. */
    addresses: sections.some(({ length_bytes, name }) => name.startsWith("addresses.") && length_bytes > 0),
    sections: sections
      .filter(({ length_bytes }) => length_bytes > 0)
      .map(({ length_bytes, name }) => ({ name, size_bytes: length_bytes, bytes_per_unit: perUnit(length_bytes) }))
  }
}

type SnapshotInfo = ReturnType<typeof describe>

const facts: View<SnapshotInfo> = {
  format: "format_version",
  "data version": "data_version",
  "data date": "data_date",
  changes: ({ changes }) => (changes === 0 ? undefined : grouped(changes)),
  units: ({ units }) => grouped(units),
  active: ({ active_units }) => grouped(active_units),
  states: "states",
  addresses: ({ addresses }) => (addresses ? "yes" : "no"),
  size: ({ bytes_per_unit, size_bytes }) => `${grouped(size_bytes)} bytes, ${bytes_per_unit.toFixed(2)} a unit`,
  intact: ({ intact }) => (intact ? "yes, all checksums hold" : "no")
}

const layout: View<SnapshotInfo["sections"][number]> = {
  SECTION: "name",
  BYTES: { right: ({ size_bytes }) => grouped(size_bytes) },
  "A UNIT": { right: ({ bytes_per_unit }) => bytes_per_unit.toFixed(2) }
}
