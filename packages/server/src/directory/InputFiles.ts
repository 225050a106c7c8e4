/** The two files of a directory, plain or gzipped, as byte streams. */
import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { commandName } from "../process/CommandName.ts"
import { CommandFailure } from "../process/ExitCode.ts"
import { say } from "../process/Output.ts"
import { openInput } from "./InputBytes.ts"

/** A file in its folder. */
export interface InputFile {
  readonly name: string
  readonly path: string
  readonly modified_ms: number
}

/** The two files of a directory. */
export interface InputFiles {
  readonly places: InputFile
  readonly units: InputFile
}

/** Finds both files in a folder. */
export const findFiles = async (folder: string): Promise<InputFiles> => ({
  places: await findFile(folder, "places.csv"),
  units: await findFile(folder, "units.csv")
})

/** The date of the newer file, such as `2026-01-31`. */
export const dayOf = ({ places, units }: InputFiles): string =>
  new Date(Math.max(places.modified_ms, units.modified_ms)).toISOString().slice(0, 10)

/**
 * Reads a file, decompressed. A chunk is valid until the next one is requested.
 *
 * @param onShare called with the fraction of the file that has been read, from 0 to 1
 */
export async function* readFile(
  { path }: InputFile,
  signal: AbortSignal,
  onShare: (share: number) => void = () => {}
): AsyncGenerator<Uint8Array> {
  const { chunks, share } = await openInput(path)
  try {
    for await (const chunk of chunks) {
      signal.throwIfAborted()
      onShare(share())
      yield chunk
    }
  } catch (error) {
    throw error instanceof CommandFailure ? new CommandFailure(`${path}: ${error.message}`) : error
  }
}

const findFile = async (folder: string, name: string): Promise<InputFile> => {
  const found: Array<InputFile> = []
  const names = await readdir(folder).catch(() => [])
  // Exactly this name first, in case that two differ only in case.
  const candidates = names
    .filter((given) => [name, `${name}.gz`].includes(given.toLowerCase()))
    .sort((a, b) => Number(b.startsWith(name)) - Number(a.startsWith(name)) || a.length - b.length)
  for (const candidate of candidates) {
    const path = join(folder, candidate)
    const stats = await stat(path).catch(() => undefined)
    if (stats?.isFile()) found.push({ name: candidate, path, modified_ms: stats.mtimeMs })
  }
  const [first, second] = found
  if (first === undefined) throw new CommandFailure(await explainMissing(folder, name))
  if (second !== undefined) say(`reading ${first.path}; ${second.name} is ignored`)
  return first
}

const explainMissing = async (folder: string, name: string): Promise<string> => {
  const stats = await stat(folder).catch(() => undefined)
  if (stats === undefined) {
    if (folder.endsWith(".snapshot"))
      return `there is no file ${folder}: expected a snapshot, or a folder with places.csv and units.csv`
    return `there is no folder ${folder}: ${commandName()} demo ${folder} writes a demonstration directory`
  }
  if (!stats.isDirectory()) return `${folder} is a file: expected a folder with places.csv and units.csv`
  return `${folder} has neither ${name} nor ${name}.gz: expected a folder with places.csv and units.csv`
}
