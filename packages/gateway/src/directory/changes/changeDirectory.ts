/** Changes the current directory, for an operator. */

import { type AllowedRemovals, allowedByChanges, type ChangeFault, grouped } from "@postcode/core/Changes"
import { formatVersion } from "@postcode/core/Directory"
import { Effect } from "effect"
import { AuditLog } from "../../audit/AuditLog.ts"
import { newId, timestamp } from "../../audit/audit.ts"
import { type Conflict, type InsufficientScope, InvalidParameter, type Unavailable } from "../../Errors.ts"
import { type Manager, permit } from "../../ManagementAccess.ts"
import type { Secrets } from "../../store/Secrets.ts"
import { type AppliedBatch, type ChangeBatch, type ChangeOutcome, DirectoryChanges } from "./DirectoryChanges.ts"

/** The changes of an operator. */
export interface RequestedChanges extends Pick<ChangeBatch, "changes" | "reason" | "reference"> {
  /** The permitted number of active units to retire or move away. */
  readonly allowedRemovals?: AllowedRemovals | undefined
}

export interface ChangeDirectory {
  /**
   * Applies all changes, or none. Bad changes fail with `InvalidParameter`, which names the first of them, and so do more
   * removals than are allowed: 10 or 1 % of the active units, or more with a permission. Repeating a reference returns
   * the same and adds no audit entry, nor do changes without an effect.
   *
   * @param active number of active units
   */
  readonly apply: (
    requested: RequestedChanges,
    active: number,
    manager: Manager
  ) => Effect.Effect<AppliedBatch, Conflict | InsufficientScope | InvalidParameter | Unavailable>
  /** Checks the changes without applying them: what they would do, or all their faults. */
  readonly check: (
    requested: RequestedChanges,
    manager: Manager
  ) => Effect.Effect<ChangeOutcome, Conflict | InsufficientScope | Unavailable>
}

/** Changes are stored in one transaction with their audit entry. */
export const changeDirectory: Effect.Effect<ChangeDirectory, never, AuditLog | DirectoryChanges | Secrets> = Effect.gen(
  function* () {
    const changes = yield* DirectoryChanges
    const log = yield* AuditLog
    const identify = yield* newId

    return {
      apply: Effect.fnUntraced(function* (requested, active, manager) {
        yield* permit(manager, "changeDirectory")
        const { actor } = manager
        const at = yield* timestamp
        const allowedRemovals = allowedByChanges(active, requested.allowedRemovals)
        const outcome = yield* changes.apply({ ...requested, allowedRemovals, actor, at }, false, (batch) =>
          batch.applied === 0
            ? Effect.void
            : log.append({ id: identify("evt"), at, actor, ...entryOf(batch, requested) })
        )
        if (outcome._tag === "Applied") return outcome
        return yield* outcome._tag === "Refused"
          ? badChanges(outcome.faults)
          : tooManyRemovals(outcome.removals, active)
      }),

      check: Effect.fnUntraced(function* (requested, manager) {
        yield* permit(manager, "changeDirectory")
        const { changes: checked, reason, reference } = requested
        const at = yield* timestamp
        return yield* changes.apply({ changes: checked, reason, reference, actor: manager.actor, at }, true)
      })
    }
  }
)

const entryOf = ({ applied, unchanged, version }: AppliedBatch, { reason, reference }: RequestedChanges) => ({
  action: "directory.changed" as const,
  subject: formatVersion(version),
  details: { applied, unchanged, reference, reason }
})

/** The most faults that the message of an error names. */
const namedFaults = 20

const badChanges = (faults: ReadonlyArray<ChangeFault>): InvalidParameter => {
  const named = faults.slice(0, namedFaults).map(({ index, reason }) => `changes[${index}]: ${reason}`)
  const others = faults.length - named.length
  return new InvalidParameter({
    parameter: "changes",
    message: [...named, ...(others > 0 ? [`and ${others} more`] : [])].join("; ")
  })
}

const tooManyRemovals = (removals: number, active: number): InvalidParameter =>
  new InvalidParameter({
    parameter: "allow_removals",
    message:
      `the changes retire ${grouped(removals)} of ${grouped(active)} active units or move them by more than 1 km; if ` +
      `that is meant, send the batch again with "allow_removals": ${removals}`
  })
