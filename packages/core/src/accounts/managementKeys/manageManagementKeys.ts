/** Creates, lists and revokes management keys. */
import { Effect, Redacted } from "effect"
import type { AuditLog } from "../../audit/AuditLog.ts"
import { audited, entryOf, newId, timestamp } from "../../audit/audit.ts"
import type { Conflict, InsufficientScope, InvalidParameter, NotFound, Unavailable } from "../../Errors.ts"
import { randomLength, visiblePrefix } from "../../keys/ApiKey.ts"
import type { Page, PageRequest } from "../../Page.ts"
import { Secrets } from "../../store/Secrets.ts"
import type { Transactions } from "../../store/Transactions.ts"
import { type Manager, permitFound, permitOn } from "../ManagementAccess.ts"
import { composeManagementKey, type ManagementKey } from "./ManagementKey.ts"
import { ManagementKeys } from "./ManagementKeys.ts"

/** A new management key. The key itself is never returned again. */
export interface CreatedManagementKey {
  readonly record: ManagementKey
  readonly secret: Redacted.Redacted<string>
}

type Refused = InsufficientScope | NotFound | Unavailable

/** For a member, keys of other organizations fail with `NotFound`. */
export interface ManageManagementKeys {
  /** Only for owners and operators in person: a management key cannot create another one. */
  readonly create: (
    organization_id: string,
    request: Pick<ManagementKey, "name" | "role">,
    manager: Manager
  ) => Effect.Effect<CreatedManagementKey, Conflict | Refused>
  /** Newest first, including revoked ones. */
  readonly list: (
    organization_id: string,
    page: PageRequest,
    manager: Manager
  ) => Effect.Effect<Page<ManagementKey>, InvalidParameter | Refused>
  /** Takes effect on all replicas at once. Repeating it returns the same and adds no audit entry. */
  readonly revoke: (id: string, manager: Manager) => Effect.Effect<ManagementKey, Refused>
}

/** Every change is stored in one transaction with its audit entry. */
export const manageManagementKeys: Effect.Effect<
  ManageManagementKeys,
  never,
  AuditLog | ManagementKeys | Secrets | Transactions
> = Effect.gen(function* () {
  const keys = yield* ManagementKeys
  const secrets = yield* Secrets
  const identify = yield* newId
  const withAudit = yield* audited

  return {
    create: Effect.fnUntraced(function* (organization_id, { name, role }, manager) {
      yield* permitOn(manager, "createManagementKey", organization_id)
      const key = composeManagementKey(secrets.random(randomLength))
      const secret = Redacted.make(key)
      const record: ManagementKey = {
        id: identify("mgk"),
        organization_id,
        name,
        role,
        prefix: visiblePrefix(key),
        created_by: manager.actor,
        created_at: yield* timestamp
      }
      yield* withAudit(keys.create(record, secrets.hash(secret)), () =>
        entryOf(manager.actor, "management_key.created", record, { name, role, prefix: record.prefix })
      )
      return { record, secret }
    }),

    list: (organization_id, page, manager) =>
      Effect.andThen(permitOn(manager, "listManagementKeys", organization_id), keys.list(organization_id, page)),

    revoke: Effect.fnUntraced(function* (id, manager) {
      yield* permitFound(manager, "revokeManagementKey", keys.get(id), "management key")
      const { record } = yield* withAudit(keys.revoke(id, yield* timestamp), ({ record: key, repeated }) =>
        repeated ? undefined : entryOf(manager.actor, "management_key.revoked", key, { prefix: key.prefix })
      )
      return record
    })
  }
})
