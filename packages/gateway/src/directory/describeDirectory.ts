/** Describes the current directory: its edition and size. */

import type { BranchCounts, Directory } from "@postcode/core/Directory"
import { Effect } from "effect"
import type { InsufficientScope } from "../Errors.ts"
import { type Manager, permit } from "../ManagementAccess.ts"
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
}

/** @param directory the directory of the request */
export const describeDirectory: Effect.Effect<
  (directory: Directory, manager: Manager) => Effect.Effect<DirectoryDescription, InsufficientScope>,
  never,
  CurrentDirectory
> = Effect.map(
  CurrentDirectory,
  ({ currentSince }) =>
    (directory, manager) =>
      Effect.map(permit(manager, "directory"), () => {
        const current_since = currentSince?.(directory)
        return {
          version: directory.version,
          date: directory.date,
          changes: directory.changes,
          ...(current_since !== undefined && { current_since }),
          active_units: directory.activeSize,
          retired_units: directory.size - directory.activeSize,
          ...directory.branchCounts()
        }
      })
)
