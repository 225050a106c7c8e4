/** Find, count and remove accounts of end users. Results have the number of identifiers, never the identifiers. */
import { Effect, type Redacted } from "effect"
import type { AuditLog } from "../../audit/AuditLog.ts"
import { audited, timestamp } from "../../audit/audit.ts"
import { type InsufficientScope, type InvalidParameter, NotFound, notFound, type Unavailable } from "../../Errors.ts"
import { type Manager, permit } from "../../ManagementAccess.ts"
import { Secrets } from "../../store/Secrets.ts"
import type { Transactions } from "../../store/Transactions.ts"
import { normalizeIdentifier } from "./EndUserIdentifier.ts"
import { EndUsers, type StoredEndUser } from "./EndUsers.ts"

/** The removed account and the time. */
export interface RemovedEndUser {
  readonly id: string
  /** ISO 8601, UTC. */
  readonly removed_at: string
}

/** For operators only: end users do not belong to an organization. */
export interface ManageEndUsers {
  /** The account of an identifier. Every search is audited, with the identifier's hash, also if it finds nothing. */
  readonly find: (
    identifier: Redacted.Redacted<string>,
    manager: Manager
  ) => Effect.Effect<StoredEndUser, InsufficientScope | InvalidParameter | NotFound | Unavailable>
  readonly get: (
    id: string,
    manager: Manager
  ) => Effect.Effect<StoredEndUser, InsufficientScope | NotFound | Unavailable>
  /**
   * Deletes an account with its bookmarks and hashes. Active sessions then find no bookmarks. Records of sessions and
   * selections remain for their retention period.
   */
  readonly remove: (
    id: string,
    manager: Manager
  ) => Effect.Effect<RemovedEndUser, InsufficientScope | NotFound | Unavailable>
  readonly count: (manager: Manager) => Effect.Effect<number, InsufficientScope | Unavailable>
}

/** Every change and every search is stored in one transaction with its audit entry. */
export const manageEndUsers: Effect.Effect<ManageEndUsers, never, AuditLog | EndUsers | Secrets | Transactions> =
  Effect.gen(function* () {
    const endUsers = yield* EndUsers
    const secrets = yield* Secrets
    const withAudit = yield* audited

    return {
      find: Effect.fnUntraced(function* (identifier, manager) {
        yield* permit(manager, "findEndUser")
        const normalized = yield* Effect.fromResult(normalizeIdentifier(identifier, "identifier"))
        const found = yield* withAudit(endUsers.find(secrets.identifierHashes(normalized)), (endUser) => ({
          actor: manager.actor,
          action: "end_user.searched",
          subject: endUser?.id ?? secrets.hashIdentifier(normalized),
          details: { found: endUser === undefined ? 0 : 1 }
        }))
        return found ?? (yield* noSuchIdentifier)
      }),

      get: Effect.fnUntraced(function* (id, manager) {
        yield* permit(manager, "getEndUser")
        const found = yield* withAudit(
          endUsers.get(id),
          (endUser) => endUser && { actor: manager.actor, action: "end_user.viewed", subject: id, details: {} }
        )
        return found ?? (yield* notFound("end user"))
      }),

      remove: Effect.fnUntraced(function* (id, manager) {
        yield* permit(manager, "removeEndUser")
        const removing = Effect.flatMap(endUsers.remove(id), (removed) =>
          removed ? Effect.succeed(removed) : Effect.fail(notFound("end user"))
        )
        yield* withAudit(removing, ({ bookmarks, identifiers }) => ({
          actor: manager.actor,
          action: "end_user.removed",
          subject: id,
          details: { identifiers, bookmarks: bookmarks.length }
        }))
        return { id, removed_at: yield* timestamp }
      }),

      count: (manager) => Effect.andThen(permit(manager, "countEndUsers"), endUsers.count())
    }
  })

const noSuchIdentifier = Effect.fail(new NotFound({ message: "there is no end user with this identifier" }))
