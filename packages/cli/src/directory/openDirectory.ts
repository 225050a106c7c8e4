/** The directory that a command works on: the files that it was given, or the demonstration. */
import type { Directory } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { Effect } from "effect"
import type { CommandFailure } from "../ExitCode.ts"
import { lazily } from "../Lazy.ts"
import { makeProgress } from "../Progress.ts"

export interface OpenedDirectory {
  readonly directory: Directory
  readonly attributesOf: (id: number, postcode: Postcode) => UnitAttributes
}

export interface OpenOptions {
  /** Folder with the two CSV files; undefined for the demonstration. */
  readonly path: string | undefined
  /** Work that ends within this time is not mentioned. */
  readonly quiet_ms: number
}

export const openDirectory = ({ path, quiet_ms }: OpenOptions): Effect.Effect<OpenedDirectory, CommandFailure> =>
  path === undefined
    ? makeDemonstration(quiet_ms)
    : lazily(
        () => import("./DirectoryFiles.ts"),
        ({ readDirectoryFiles }) => readDirectoryFiles(path, quiet_ms)
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
