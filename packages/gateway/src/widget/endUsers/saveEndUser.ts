/** Stores hashed identifiers and bookmarks of end users. */
import { Effect, type Redacted, Result, Semaphore } from "effect"
import type { AuditLog } from "../../audit/AuditLog.ts"
import { type AuditEntry, audited, auditedAll, newId } from "../../audit/audit.ts"
import { type Conflict, type InsufficientScope, InvalidParameter, type Unavailable } from "../../Errors.ts"
import { type Manager, permit } from "../../ManagementAccess.ts"
import { Secrets } from "../../store/Secrets.ts"
import type { Transactions } from "../../store/Transactions.ts"
import { twoAccounts } from "./EndUserAccounts.ts"
import { normalizeIdentifier } from "./EndUserIdentifier.ts"
import { type Bookmark, type EndUser, EndUsers } from "./EndUsers.ts"

/** An account to store: at least one identifier as sent, and bookmarks in order. */
export interface EndUserRequest {
  readonly identifiers: ReadonlyArray<Redacted.Redacted<string>>
  readonly bookmarks: ReadonlyArray<Bookmark>
}

/** Saves an account and returns its id. Replaces an account that has one of the identifiers. */
export const saveEndUser: Effect.Effect<
  (
    request: EndUserRequest,
    manager: Manager
  ) => Effect.Effect<string, Conflict | InsufficientScope | InvalidParameter | Unavailable>,
  never,
  AuditLog | EndUsers | Secrets | Transactions
> = Effect.gen(function* () {
  const endUsers = yield* EndUsers
  const read = yield* reading
  const withAudit = yield* audited

  return Effect.fnUntraced(function* (request, manager) {
    yield* permit(manager, "saveEndUser")
    const user = yield* Effect.fromResult(read(request, ""))
    return yield* withAudit(endUsers.save(user), (id) => savedEntry(id, user, manager.actor))
  })
})

/** The account id of an end user in a batch, or the conflict. */
export type SavedEndUser = Result.Result<string, Conflict>

/**
 * Saves accounts in one transaction, as if in order. End users whose identifiers belong to two accounts are skipped; a
 * malformed one fails the whole request. Concurrent requests are stored one after the other.
 */
export const saveEndUsers: Effect.Effect<
  (
    requests: ReadonlyArray<EndUserRequest>,
    manager: Manager
  ) => Effect.Effect<ReadonlyArray<SavedEndUser>, InsufficientScope | InvalidParameter | Unavailable>,
  never,
  AuditLog | EndUsers | Secrets | Transactions
> = Effect.gen(function* () {
  const endUsers = yield* EndUsers
  const read = yield* reading
  const withAudit = yield* auditedAll
  const oneAtATime = yield* Semaphore.make(1)

  return Effect.fnUntraced(function* (requests, manager) {
    yield* permit(manager, "saveEndUsers")
    const users: Array<EndUser> = []
    for (const [i, request] of requests.entries()) {
      users.push(yield* Effect.fromResult(read(request, `end_users[${i}].`)))
    }
    const saving = withAudit(endUsers.saveAll(users), (saved) =>
      saved.flatMap((id, i) => (id === undefined ? [] : [savedEntry(id, users[i] as EndUser, manager.actor)]))
    )
    // Concurrent batches would block each other in the store, and hold locks that all other requests need.
    const ids = yield* oneAtATime.withPermit(saving)
    return ids.map((id) => (id === undefined ? Result.fail(twoAccounts) : Result.succeed(id)))
  })
})

/** Parses a request and hashes its identifiers; the raw identifiers end here. */
const reading = Effect.gen(function* () {
  const secrets = yield* Secrets
  const identify = yield* newId

  /** @param path prefix of parameter names in errors */
  return ({ bookmarks, identifiers }: EndUserRequest, path: string): Result.Result<EndUser, InvalidParameter> => {
    const parameter = `${path}identifiers`
    if (identifiers.length === 0) {
      const message = `${parameter}: expected at least one, as nothing else leads to the account`
      return Result.fail(new InvalidParameter({ parameter, message }))
    }
    const normalized = Result.all(identifiers.map((raw, i) => normalizeIdentifier(raw, `${parameter}[${i}]`)))
    return Result.map(normalized, (each) => {
      const hashes = each.map(secrets.identifierHashes)
      return {
        id: identify("usr"),
        identifier_hashes: [...new Set(hashes.map(([present]) => present))],
        former_hashes: [...new Set(hashes.flatMap(([, ...former]) => former))],
        bookmarks
      }
    })
  }
})

const savedEntry = (id: string, { bookmarks, identifier_hashes }: EndUser, actor: string): AuditEntry => ({
  actor,
  action: "end_user.saved",
  subject: id,
  details: { identifiers: identifier_hashes.length, bookmarks: bookmarks.length }
})
