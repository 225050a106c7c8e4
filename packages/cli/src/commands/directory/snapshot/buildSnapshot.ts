/** `postcode snapshot build`: builds one file that opens within milliseconds from a folder of CSV files. */
import { access, constants, realpath, stat } from "node:fs/promises"
import { basename, dirname, resolve } from "node:path"
import { writeSnapshotFile } from "@postcode/node"
import { BadRowFile } from "@postcode/server/directory/BadRowFile"
import { readDirectory } from "@postcode/server/directory/DirectoryFiles"
import { reportFindings } from "@postcode/server/directory/DirectoryReport"
import { CommandFailure } from "@postcode/server/process/ExitCode"
import { say, writeData, writeJson } from "@postcode/server/process/Output"
import { makeProgress } from "@postcode/server/process/Progress"
import { untilSettled } from "@postcode/server/process/UntilSettled"
import { Effect } from "effect"
import { type CheckFlags, checkedReadingOf } from "../CheckFlags.ts"

/** Input and output of the build. */
export interface BuildOptions extends CheckFlags {
  /** The folder with the CSV files. */
  readonly path: string
  /** The output file. */
  readonly output: string
  /** Whether to replace an existing file. */
  readonly force: boolean
  /** Whether the file contains the addresses of the units, and so exposes them to all its readers. */
  readonly addresses: boolean
  readonly dataVersion: string | undefined
  readonly dataDate: string | undefined
  readonly json: boolean
}

/** Writes the file. It gets its name when it is complete; a failure or an interruption leaves no file. */
export const buildSnapshot = (options: BuildOptions): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const built = yield* untilSettled((signal) => build(options, signal))
    yield* options.json ? writeJson(built) : writeData(`${built.file}\n`)
  })

const build = async (options: BuildOptions, signal: AbortSignal) => {
  const { addresses, path } = options
  // Check the output first: a failure at the end would waste the build.
  await checkOutput(options)
  // A symbolic link is kept; its target is written.
  const output = await realpath(options.output).catch(() => options.output)
  const { badRows, directory, facts, lineOf, unitsName } = await readDirectory(
    path,
    {
      quiet_ms: 0,
      keepsAttributes: false,
      addresses,
      skipBadRows: options.skipBadRows,
      sheet: options.sheet,
      reading: await checkedReadingOf(path, options, signal),
      badRowFile: options.badRows === undefined ? undefined : new BadRowFile(options.badRows),
      version: options.dataVersion,
      date: options.dataDate
    },
    signal
  )
  const warnings = await reportFindings({ directory, facts, lineOf }, options, unitsName, say)
  const progress = makeProgress({ doing: `writing ${output}`, what: "bytes", quiet_ms: 0 })
  const onProgress = (done_bytes: number, total_bytes: number) => progress.update(done_bytes, done_bytes / total_bytes)
  await writeSnapshotFile(directory, output, { addresses, signal, onProgress }).finally(progress.clear)
  const { size: size_bytes } = await stat(output)
  progress.finish(size_bytes)
  return {
    file: options.output,
    data_version: directory.version,
    data_date: directory.date,
    units: directory.size,
    active_units: directory.activeSize,
    bad_rows: badRows,
    warnings,
    addresses,
    size_bytes
  }
}

const checkOutput = async ({ force, output, path }: BuildOptions): Promise<void> => {
  const stats = await stat(output).catch(() => undefined)
  if (stats?.isDirectory()) throw new CommandFailure(`${output} is a folder: expected the name of a file`)
  if (stats !== undefined && !stats.isFile()) {
    throw new CommandFailure(`${output} is a device or the like, which cannot be replaced: expected the name of a file`)
  }
  if (stats !== undefined && (await isInput(output, path))) {
    throw new CommandFailure(`${output} is one of the files to build from: choose another name`)
  }
  if (stats !== undefined && !force) {
    throw new CommandFailure(`${output} already exists: choose another name, or replace it with --force`)
  }
  const folder = dirname(resolve(output))
  await access(folder, constants.W_OK).catch(() => {
    throw new CommandFailure(`${output} cannot be written: expected a folder ${folder} that may be written to`)
  })
}

const isInput = async (output: string, folder: string): Promise<boolean> => {
  const file = await realpath(output)
  const isInFolder = dirname(file) === (await realpath(folder).catch(() => undefined))
  return isInFolder && /^(places|units)\.csv(\.gz)?$/.test(basename(file))
}
