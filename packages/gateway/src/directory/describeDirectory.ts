/** Describes the current directory: its edition and size. */

import { type DirectoryWarning, findingKinds } from "@postcode/core/Csv"
import type { BranchCounts, Directory } from "@postcode/core/Directory"
import { Effect } from "effect"
import type { InsufficientScope } from "../Errors.ts"
import { isPermitted, type Manager, permit } from "../ManagementAccess.ts"
import { CurrentDirectory } from "./CurrentDirectory.ts"

/** An edition, and its numbers of units and branches. */
export interface DirectoryDescription extends BranchCounts {
  /** The publisher's name of the edition; empty if unknown. */
  readonly version: string
  /** The date of the edition; empty if unknown. */
  readonly date: string
  /** How many changes were applied since the edition. */
  readonly changes: number
  /** ISO 8601, UTC; absent if unknown. */
  readonly current_since?: string
  readonly active_units: number
  readonly retired_units: number
  /** What the import found when it looked at the edition, for operators; absent if it was not looked at. */
  readonly warnings?: ReadonlyArray<ExplainedWarning>
}

/** A warning, and what its kind means. */
export interface ExplainedWarning extends DirectoryWarning {
  readonly meaning: string
}

/** @param directory the directory of the request */
export const describeDirectory: Effect.Effect<
  (directory: Directory, manager: Manager) => Effect.Effect<DirectoryDescription, InsufficientScope>,
  never,
  CurrentDirectory
> = Effect.map(
  CurrentDirectory,
  ({ currentSince, warnings }) =>
    (directory, manager) =>
      Effect.map(permit(manager, "directory"), () => {
        const current_since = currentSince?.(directory)
        // Rows of units are shown to those who may change them.
        const found = isPermitted(manager, "changeDirectory") ? warnings?.(directory) : undefined
        return {
          version: directory.version,
          date: directory.date,
          changes: directory.changes,
          ...(current_since !== undefined && { current_since }),
          active_units: directory.activeSize,
          retired_units: directory.size - directory.activeSize,
          ...directory.branchCounts(),
          ...(found !== undefined && {
            warnings: found.map((warning) => ({ ...warning, meaning: findingKinds[warning.kind] }))
          })
        }
      })
)
