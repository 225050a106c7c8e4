/** Store an end user's identifiers, as hashes, and bookmarks. */
import { Effect, type Redacted } from "effect"
import { normalizeIdentifier } from "../EndUserIdentifier.ts"
import { type Conflict, type InsufficientScope, InvalidParameter, type Unavailable } from "../Errors.ts"
import { type Manager, permit } from "../ManagementAccess.ts"
import type { AuditLog } from "../ports/AuditLog.ts"
import { type Bookmark, EndUsers } from "../ports/EndUsers.ts"
import { Secrets } from "../ports/Secrets.ts"
import type { Transactions } from "../ports/Transactions.ts"
import { audited, newId } from "./audit.ts"

export interface EndUserRequest {
  readonly identifiers: ReadonlyArray<Redacted.Redacted<string>>
  readonly bookmarks: ReadonlyArray<Bookmark>
}

/** Saves an account and answers its id; an account that has one of the identifiers is replaced. */
export const saveEndUser: Effect.Effect<
  (
    request: EndUserRequest,
    manager: Manager
  ) => Effect.Effect<string, Conflict | InsufficientScope | InvalidParameter | Unavailable>,
  never,
  AuditLog | EndUsers | Secrets | Transactions
> = Effect.gen(function* () {
  const endUsers = yield* EndUsers
  const secrets = yield* Secrets
  const identify = yield* newId
  const withAudit = yield* audited

  return Effect.fnUntraced(function* (request, manager) {
    yield* permit(manager, "saveEndUser")
    if (request.identifiers.length === 0) {
      return yield* new InvalidParameter({
        parameter: "identifiers",
        message: "identifiers: expected at least one, as nothing else leads to the account"
      })
    }
    const identifiers = yield* Effect.forEach(request.identifiers, (raw, i) =>
      Effect.fromResult(normalizeIdentifier(raw, `identifiers[${i}]`))
    )
    const hashes = identifiers.map(secrets.identifierHashes)
    const identifier_hashes = [...new Set(hashes.map(([present]) => present))]
    const former_hashes = [...new Set(hashes.flatMap(([, ...former]) => former))]
    const { bookmarks } = request
    const user = { id: identify("usr"), identifier_hashes, former_hashes, bookmarks }
    return yield* withAudit(endUsers.save(user), (id) => ({
      actor: manager.actor,
      action: "end_user.saved",
      subject: id,
      details: { identifiers: identifier_hashes.length, bookmarks: bookmarks.length }
    }))
  })
})
