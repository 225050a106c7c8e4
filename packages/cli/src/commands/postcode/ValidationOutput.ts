/** Where `postcode validate` writes: standard output, a CSV file, or a workbook. */
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises"
import { CommandFailure } from "@postcode/server/process/ExitCode"
import { writeData } from "@postcode/server/process/Output"
import { Effect } from "effect"
import { csvToWorkbook, isWorkbookName, type WrittenCsv } from "../../csv/csvToWorkbook.ts"

/** Takes the output, chunk by chunk. */
export interface ValidationOutput {
  /** Reading waits for it. */
  readonly write: (chunk: Uint8Array) => Promise<void>
  /** After the last chunk. A file gets its name now. */
  readonly finish: (csv: Omit<WrittenCsv, "path">, signal: AbortSignal) => Promise<void>
  /** After a failure. Nothing remains of the file. */
  readonly discard: () => Promise<void>
}

/** Which file; standard output by default. */
export interface OutputFlags {
  readonly file: string
  readonly output: string | undefined
  readonly force: boolean
}

/** @throws CommandFailure if the file exists, unless it is to be replaced */
export const openOutput = async ({ file, force, output }: OutputFlags): Promise<ValidationOutput> => {
  if (output === undefined) return standardOutput
  const stats = await stat(output).catch(() => undefined)
  if (stats?.isDirectory()) throw new CommandFailure(`${output} is a folder: expected the name of a file`)
  const input = await stat(file).catch(() => undefined)
  if (stats !== undefined && stats.ino === input?.ino && stats.dev === input.dev) {
    throw new CommandFailure(`${output} is the file to validate: choose another name`)
  }
  if (stats !== undefined && !force) {
    throw new CommandFailure(`${output} already exists: choose another name, or replace it with --force`)
  }
  const unfinished = `${output}.rows`
  const handle = await open(unfinished, "w").catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailure(`${output} cannot be written: ${error.code}`)
  })
  return fileOutput(output, unfinished, handle)
}

const standardOutput: ValidationOutput = {
  write: (chunk) => Effect.runPromise(writeData(chunk)),
  finish: async () => {},
  discard: async () => {}
}

const fileOutput = (path: string, unfinished: string, handle: FileHandle): ValidationOutput => ({
  write: async (chunk) => {
    await handle.writeFile(chunk)
  },
  finish: async (csv, signal) => {
    await handle.close()
    if (!isWorkbookName(path)) return await rename(unfinished, path)
    await csvToWorkbook({ ...csv, path: unfinished }, path, signal)
    await rm(unfinished)
  },
  discard: async () => {
    await handle.close().catch(() => {})
    await rm(unfinished, { force: true })
  }
})
