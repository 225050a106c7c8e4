/**
 * The demonstration directory. Making it takes seconds, so a built command keeps it as a snapshot in the user's cache
 * folder, which opens in milliseconds.
 */
import { mkdir, readdir, rm, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { Directory } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { defaultSeed, demoAttributes, demoDirectory } from "@postcode/demo"
import { openSnapshotFile, writeSnapshotFile } from "@postcode/node"
import { makeProgress } from "../process/Progress.ts"
import { cacheFolder } from "../process/UserFolders.ts"
import { demonstrationBuild } from "./demonstrationBuild.ts"

interface Demonstration {
  readonly directory: Directory
  readonly attributesOf: (id: number, postcode: Postcode) => UnitAttributes
}

interface LoadOptions {
  /** Whether the addresses are indexed for address search. */
  readonly addresses: boolean
  /** Shorter work is not reported. */
  readonly quiet_ms: number
}

/** Opens the cached demonstration, or makes it and caches it. */
export const loadDemonstration = async (options: LoadOptions, signal: AbortSignal): Promise<Demonstration> => {
  const file = cachedFile(options)
  const cached = file === undefined ? undefined : await readCached(file, signal)
  const directory = cached ?? make(options)
  if (file !== undefined && cached === undefined) await writeCached(directory, file, options, signal)
  const attributesOf = demoAttributes(defaultSeed)
  return { directory, attributesOf: (_, postcode) => attributesOf(postcode) }
}

const cachedFile = ({ addresses }: LoadOptions): string | undefined => {
  const folder = cacheFolder()
  if (folder === undefined || demonstrationBuild === undefined) return undefined
  return join(folder, "demonstration", `${demonstrationBuild}${addresses ? "-addresses" : ""}.snapshot`)
}

const make = ({ addresses, quiet_ms }: LoadOptions): Directory => {
  const progress = makeProgress({ doing: "making the demonstration directory", what: "units", quiet_ms })
  const { directory } = demoDirectory({ addresses })
  progress.finish(directory.size)
  return directory
}

/** Undefined if there is no such file, or if it is damaged: its checksums are verified. */
const readCached = async (file: string, signal: AbortSignal): Promise<Directory | undefined> => {
  try {
    return (await openSnapshotFile(file, { signal })).directory
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

/** A cache that cannot be written, such as on a full or read-only disk, is no failure of the command. */
const writeCached = async (
  directory: Directory,
  file: string,
  { addresses }: LoadOptions,
  signal: AbortSignal
): Promise<void> => {
  try {
    const folder = dirname(file)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeSnapshotFile(directory, file, { addresses, signal })
    await removeOld(folder)
  } catch {
    signal.throwIfAborted()
  }
}

/** Removes the files of other builds, and what interrupted commands left behind. */
const removeOld = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder)) {
    const file = join(folder, name)
    const { mtimeMs: written_ms } = await stat(file)
    if (written_ms < Date.now() - kept_ms) await rm(file, { force: true })
  }
}

const kept_ms = 30 * 86_400_000
