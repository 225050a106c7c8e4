/** Opens a snapshot file; its errors name the remedy. */
import { InvalidSnapshot } from "@postcode/core/Snapshot"
import { type OpenedSnapshot, openSnapshotFile } from "@postcode/node"
import type { Effect } from "effect"
import { CommandFailure } from "../process/ExitCode.ts"
import { makeProgress } from "../process/Progress.ts"
import { untilSettled } from "../process/UntilSettled.ts"

/** The expected input, for error messages. */
export const validSnapshot = "a snapshot as postcode snapshot build made it: copy or build it again"

/** @param quiet_ms shorter work is not reported */
export const openSnapshot = (path: string, quiet_ms: number): Effect.Effect<OpenedSnapshot, CommandFailure> =>
  untilSettled(async (signal) => {
    const progress = makeProgress({ doing: `opening ${path}`, what: "units", quiet_ms })
    const opened = await openSnapshotFile(path, { signal }).catch((error: unknown) => {
      if (!(error instanceof InvalidSnapshot)) throw error
      throw new CommandFailure(`${error.message}\nexpected a folder with places.csv and units.csv, or ${validSnapshot}`)
    })
    progress.finish(opened.directory.size)
    return opened
  })
