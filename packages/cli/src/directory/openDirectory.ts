/** Opens the directory of a command: CSV files, a snapshot or the demonstration. */
import { stat } from "node:fs/promises"
import type { Directory } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { Effect } from "effect"
import type { CommandFailure } from "../ExitCode.ts"
import { lazily } from "../Lazy.ts"
import { makeProgress } from "../Progress.ts"
import { untilSettled } from "../UntilSettled.ts"

/** A directory and the attributes of its units. */
export interface OpenedDirectory {
  readonly directory: Directory
  readonly attributesOf: (id: number, postcode: Postcode) => UnitAttributes
  /** The snapshot under the directory, if any: memory that other threads can open. */
  readonly image?: SharedArrayBuffer
}

/** Which directory, and which parts of it. */
export interface OpenOptions {
  /** A folder with the two CSV files, or a snapshot; undefined for the demonstration. */
  readonly path: string | undefined
  /** Shorter work is not reported. */
  readonly quiet_ms: number
  /** Whether to keep the attributes of units besides code, status and location: yes by default. */
  readonly keepsAttributes?: boolean
}

/** Opens it. Fails if the path does not exist or is not a directory of units. */
export const openDirectory = ({
  keepsAttributes = true,
  path,
  quiet_ms
}: OpenOptions): Effect.Effect<OpenedDirectory, CommandFailure> =>
  path === undefined
    ? makeDemonstration(quiet_ms)
    : Effect.flatMap(isFile(path), (holdsAll) =>
        holdsAll ? readSnapshot(path, quiet_ms) : readFolder(path, { keepsAttributes, quiet_ms })
      )

const isFile = (path: string): Effect.Effect<boolean> =>
  Effect.promise(() =>
    stat(path).then(
      (stats) => stats.isFile(),
      () => false
    )
  )

const readFolder = (
  path: string,
  options: { readonly keepsAttributes: boolean; readonly quiet_ms: number }
): Effect.Effect<OpenedDirectory, CommandFailure> =>
  lazily(
    () => import("./DirectoryFiles.ts"),
    ({ readDirectory }) => untilSettled((signal) => readDirectory(path, options, signal))
  )

/** A snapshot has only code, status and location. */
const readSnapshot = (path: string, quiet_ms: number): Effect.Effect<OpenedDirectory, CommandFailure> =>
  lazily(
    () => import("./openSnapshot.ts"),
    ({ openSnapshot }) =>
      Effect.map(openSnapshot(path, quiet_ms), (opened) => ({ ...opened, attributesOf: () => ({}) }))
  )

const makeDemonstration = (quiet_ms: number): Effect.Effect<OpenedDirectory> =>
  lazily(
    () => import("@postcode/demo"),
    ({ demoDirectory }) =>
      Effect.sync(() => {
        const progress = makeProgress({ doing: "making the demonstration directory", what: "units", quiet_ms })
        const { attributes, directory } = demoDirectory()
        progress.finish(directory.size)
        return { directory, attributesOf: attributes }
      })
  )
