/** Opens the directory of a command: CSV files, a snapshot, that of a data folder, or the demonstration. */
import { stat } from "node:fs/promises"
import { checkDirectory, type DirectoryWarning, warningsOf } from "@postcode/core/Csv"
import type { Directory } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { Effect } from "effect"
import type { CommandFailure } from "../process/ExitCode.ts"
import { lazily } from "../process/Lazy.ts"
import { say } from "../process/Output.ts"
import { untilSettled } from "../process/UntilSettled.ts"

/** A directory and the attributes of its units. */
export interface OpenedDirectory {
  readonly directory: Directory
  readonly attributesOf: (id: number, postcode: Postcode) => UnitAttributes
  /** What a look at it found; undefined if it was not looked at, as a snapshot is not. */
  readonly warnings?: ReadonlyArray<DirectoryWarning> | undefined
}

/** The attributes of a source that has none. */
export const noAttributes: OpenedDirectory["attributesOf"] = () => ({})

/** Which directory. The first that is set counts; the demonstration if none is. */
export interface DirectoryFlags {
  /** A folder with the two CSV files, or a snapshot. */
  readonly directory: string | undefined
  /** The data folder of a service. */
  readonly data: string | undefined
}

/** Which directory, and which parts of it. */
export interface OpenOptions extends DirectoryFlags {
  /** Shorter work is not reported. */
  readonly quiet_ms: number
  /** Whether to keep the attributes of units besides code, status and location: yes by default. */
  readonly keepsAttributes?: boolean
  /** Whether to index the addresses for address search: no by default, since it takes time and memory. */
  readonly addresses?: boolean
  /** Whether to look at a directory from CSV files for units that may be wrong: no by default, since it takes time. */
  readonly checks?: boolean
}

/** Opens it. Fails if the path does not exist or is not a directory of units. */
export const openDirectory = ({
  addresses = false,
  checks = false,
  data,
  directory: path,
  keepsAttributes = true,
  quiet_ms
}: OpenOptions): Effect.Effect<OpenedDirectory, CommandFailure> => {
  if (path !== undefined) {
    return Effect.flatMap(isFile(path), (isSnapshot) =>
      isSnapshot
        ? readSnapshot(path, quiet_ms, addresses)
        : readFolder(path, { keepsAttributes, quiet_ms, addresses, checks })
    )
  }
  return data === undefined ? openDemonstration(quiet_ms, addresses) : readData(data)
}

const isFile = (path: string): Effect.Effect<boolean> =>
  Effect.promise(() =>
    stat(path).then(
      (stats) => stats.isFile(),
      () => false
    )
  )

const readFolder = (
  path: string,
  { checks, ...options }: Required<Pick<OpenOptions, "addresses" | "checks" | "keepsAttributes" | "quiet_ms">>
): Effect.Effect<OpenedDirectory, CommandFailure> =>
  lazily(
    () => import("./DirectoryFiles.ts"),
    ({ readDirectory }) =>
      untilSettled(async (signal) => {
        const read = await readDirectory(path, options, signal)
        const { directory, facts, lineOf } = read
        return checks ? { ...read, warnings: warningsOf(checkDirectory(directory, facts), directory, lineOf) } : read
      })
  )

/** As with a snapshot, there are no attributes. */
const readData = (data: string): Effect.Effect<OpenedDirectory, CommandFailure> =>
  lazily(
    () => import("../data/openDataDirectory.ts"),
    ({ openDataDirectory }) =>
      Effect.map(openDataDirectory(data), (directory) => ({ directory, attributesOf: noAttributes }))
  )

/** A snapshot has no attributes. Without addresses, which only some have, searches still find states and LGAs. */
const readSnapshot = (
  path: string,
  quiet_ms: number,
  addresses: boolean
): Effect.Effect<OpenedDirectory, CommandFailure> =>
  lazily(
    () => import("./openSnapshot.ts"),
    ({ openSnapshot }) =>
      Effect.map(openSnapshot(path, quiet_ms), ({ directory }) => {
        if (addresses && directory.addresses === undefined) {
          say(`${path} has no addresses, so only states and LGAs are found: build it again with --addresses`)
        }
        return { directory, attributesOf: noAttributes }
      })
  )

const openDemonstration = (quiet_ms: number, addresses: boolean): Effect.Effect<OpenedDirectory, CommandFailure> =>
  lazily(
    () => import("./loadDemonstration.ts"),
    ({ loadDemonstration }) => untilSettled((signal) => loadDemonstration({ quiet_ms, addresses }, signal))
  )
