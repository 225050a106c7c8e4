/**
 * Cleans a CSV file of any size: rows whose postcode is in use go into one file, with the postcode in its canonical
 * rendering; all others into another one, with the reason and what may have been meant.
 */
import { createReadStream } from "node:fs"
import { type FileHandle, open, rename, rm } from "node:fs/promises"
import { parseArgs } from "node:util"
import { openSnapshotFile } from "@postcode/node"
import { type Cleaned, Cleaner } from "./clean.ts"

const usage = "usage: npm start -- [--column NAME] SNAPSHOT INPUT.csv CLEAN.csv REJECTED.csv"

/** Files that a program writes: whole under their names, or not there at all. */
const writeWhole = async <A>(
  files: ReadonlyArray<string>,
  work: (write: (texts: ReadonlyArray<string>) => Promise<void>) => Promise<A>
): Promise<A> => {
  const outputs: Array<{ readonly file: string; readonly unfinished: string; readonly handle: FileHandle }> = []
  try {
    for (const file of files) {
      const unfinished = `${file}.unfinished`
      outputs.push({ file, unfinished, handle: await open(unfinished, "w") })
    }
    const result = await work(async (texts) => {
      for (const [i, { handle }] of outputs.entries()) await handle.appendFile(texts[i] ?? "")
    })
    for (const { file, unfinished } of outputs) await rename(unfinished, file)
    return result
  } finally {
    for (const { handle, unfinished } of outputs) {
      await handle.close()
      await rm(unfinished, { force: true })
    }
  }
}

const clean = async (snapshot: string, input: string, column: string, files: readonly [string, string]) => {
  const { directory } = await openSnapshotFile(snapshot)
  return writeWhole(files, async (write) => {
    const cleaner = new Cleaner(directory, column)
    const decoder = new TextDecoder("utf-8", { fatal: true })
    // Nothing more is read before what there is was written: memory holds a piece of the file at a time.
    const next = ({ clean, rejected }: Cleaned) => write([clean, rejected])
    for await (const chunk of createReadStream(input))
      await next(cleaner.write(decoder.decode(chunk, { stream: true })))
    await next(cleaner.write(decoder.decode()))
    await next(cleaner.end())
    return cleaner.counts
  })
}

const describe = (error: unknown): string =>
  error instanceof TypeError && "code" in error && error.code === "ERR_ENCODING_INVALID_ENCODED_DATA"
    ? "the file is not UTF-8: save it as “CSV UTF-8” and try again"
    : error instanceof Error
      ? error.message
      : String(error)

const parsed = parseArgs({ options: { column: { type: "string", default: "postcode" } }, allowPositionals: true })
const [snapshot, input, cleanFile, rejectedFile] = parsed.positionals
if (snapshot === undefined || input === undefined || cleanFile === undefined || rejectedFile === undefined) {
  console.error(usage)
  process.exitCode = 2
} else {
  try {
    const counts = await clean(snapshot, input, parsed.values.column, [cleanFile, rejectedFile])
    console.log(`${counts.clean} rows in ${cleanFile}, ${counts.rejected} in ${rejectedFile}`)
  } catch (error) {
    console.error(`${input}: ${describe(error)}`)
    process.exitCode = 1
  }
}
