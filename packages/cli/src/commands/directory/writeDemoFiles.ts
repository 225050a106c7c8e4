/** `postcode demo`: writes a demonstration directory of any size. Memory holds only a few thousand rows. */

import { mkdir, open, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { demoPlacesCsv, demoUnitsCsv } from "@postcode/demo"
import { CommandFailure } from "@postcode/server/process/ExitCode"
import { writeData, writeJson } from "@postcode/server/process/Output"
import { makeProgress } from "@postcode/server/process/Progress"
import { untilSettled } from "@postcode/server/process/UntilSettled"
import { Effect } from "effect"

/** Size and output. */
export interface DemoFiles {
  readonly path: string
  readonly units: number
  readonly seed: number
  /** Whether to replace existing files. */
  readonly force: boolean
  readonly json: boolean
}

/** Writes both files. They get their names when both are complete; an interruption leaves no file. */
export const writeDemoFiles = (input: DemoFiles): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { json, path, seed, units } = input
    const files = { places_csv: join(path, "places.csv"), units_csv: join(path, "units.csv") }
    yield* untilSettled((signal) => writeAll(input, Object.values(files), signal))
    yield* json ? writeJson({ ...files, units, seed }) : writeData(`${files.places_csv}\n${files.units_csv}\n`)
  })

const writeAll = async (
  { force, path, seed, units }: DemoFiles,
  files: ReadonlyArray<string>,
  signal: AbortSignal
): Promise<void> => {
  if (!force) await checkNotExisting(files)
  await mkdir(path, { recursive: true })
  const unfinished = files.map((file) => `${file}.part`)
  const [placesFile, unitsFile] = unfinished as [string, string]
  const progress = makeProgress({ doing: `writing ${path}`, what: "units", quiet_ms: 0 })
  let done = 0
  try {
    await writeFile(placesFile, [{ text: demoPlacesCsv(), units: 0 }], signal, () => {})
    await writeFile(unitsFile, demoUnitsCsv({ units, seed }), signal, (more) => {
      done += more
      progress.update(done, done / units)
    })
    for (const [i, file] of files.entries()) await rename(unfinished[i] as string, file)
  } catch (error) {
    for (const file of unfinished) await rm(file, { force: true })
    throw error
  }
  progress.finish(done)
}

const checkNotExisting = async (files: ReadonlyArray<string>): Promise<void> => {
  for (const file of files) {
    const isThere = await stat(file).then(
      () => true,
      () => false
    )
    if (isThere) throw new CommandFailure(`${file} already exists: choose another folder, or replace it with --force`)
  }
}

/** Each chunk is written before the next one is generated. */
const writeFile = async (
  path: string,
  pieces: Iterable<{ readonly text: string; readonly units: number }>,
  signal: AbortSignal,
  onUnits: (units: number) => void
): Promise<void> => {
  await using file = await open(path, "w")
  for (const { text, units } of pieces) {
    signal.throwIfAborted()
    await file.appendFile(text)
    onUnits(units)
  }
}
