/** Changes the current directory, for an operator. */
import { Effect } from "effect"
import { type Manager, permit } from "../../accounts/ManagementAccess.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { newId, timestamp } from "../../audit/audit.ts"
import { type Conflict, type InsufficientScope, InvalidParameter, type Unavailable } from "../../Errors.ts"
import type { Secrets } from "../../store/Secrets.ts"
import { formatVersion } from "../DirectoryVersion.ts"
import { type AppliedBatch, type ChangeBatch, type ChangeOutcome, DirectoryChanges } from "./DirectoryChanges.ts"
import type { ChangeFault } from "./UnitChange.ts"

/** The changes of an operator. */
export type RequestedChanges = Pick<ChangeBatch, "changes" | "reason" | "reference">

export interface ChangeDirectory {
  /**
   * Applies all changes, or none. Bad changes fail with `InvalidParameter`, which names the first of them. Repeating a
   * reference returns the same and adds no audit entry, nor do changes without an effect.
   */
  readonly apply: (
    requested: RequestedChanges,
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
      apply: Effect.fnUntraced(function* (requested, manager) {
        yield* permit(manager, "changeDirectory")
        const { actor } = manager
        const at = yield* timestamp
        const outcome = yield* changes.apply({ ...requested, actor, at }, false, (batch) =>
          batch.applied === 0
            ? Effect.void
            : log.append({ id: identify("evt"), at, actor, ...entryOf(batch, requested) })
        )
        return outcome._tag === "Applied" ? outcome : yield* badChanges(outcome.faults)
      }),

      check: Effect.fnUntraced(function* (requested, manager) {
        yield* permit(manager, "changeDirectory")
        return yield* changes.apply({ ...requested, actor: manager.actor, at: yield* timestamp }, true)
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
