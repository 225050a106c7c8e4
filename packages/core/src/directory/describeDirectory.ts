/** What the directory in force is, and how much it holds. */
import { Effect } from "effect"
import { type Manager, permit } from "../accounts/ManagementAccess.ts"
import type { InsufficientScope } from "../Errors.ts"
import { CurrentDirectory } from "./CurrentDirectory.ts"
import type { BranchCounts, Directory } from "./Directory.ts"

/** An edition, and how many units and branches it has. */
export interface DirectoryDescription extends BranchCounts {
  /** In the words of its publisher; empty if not said. */
  readonly version: string
  /** The day of the edition; empty if not said. */
  readonly date: string
  /** ISO 8601, UTC; absent if not known. */
  readonly in_force_since?: string
  readonly active_units: number
  readonly retired_units: number
}

/** @param directory the one that the request is answered from */
export const describeDirectory: Effect.Effect<
  (directory: Directory, manager: Manager) => Effect.Effect<DirectoryDescription, InsufficientScope>,
  never,
  CurrentDirectory
> = Effect.map(
  CurrentDirectory,
  ({ currentSince }) =>
    (directory, manager) =>
      Effect.map(permit(manager, "directory"), () => {
        const in_force_since = currentSince?.(directory)
        return {
          version: directory.version,
          date: directory.date,
          ...(in_force_since !== undefined && { in_force_since }),
          active_units: directory.activeSize,
          retired_units: directory.size - directory.activeSize,
          ...directory.branchCounts()
        }
      })
)
