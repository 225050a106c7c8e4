/** Creates, lists and revokes management keys. */
import { Effect, Redacted } from "effect"
import type { AuditLog } from "../../audit/AuditLog.ts"
import { audited, entryOf, newId, timestamp } from "../../audit/audit.ts"
import type {
  Conflict,
  InsufficientScope,
  InvalidParameter,
  InvalidToken,
  NotFound,
  Unavailable
} from "../../Errors.ts"
import { expiryFault, randomLength, visiblePrefix } from "../../keys/ApiKey.ts"
import { isManagementKey, type Manager, makerOf, permitFound, permitOn } from "../../ManagementAccess.ts"
import type { Page, PageRequest } from "../../Page.ts"
import { Secrets } from "../../store/Secrets.ts"
import type { Transactions } from "../../store/Transactions.ts"
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
    request: Pick<ManagementKey, "expires_at" | "name" | "role"> & Partial<Pick<ManagementKey, "allowed_ips">>,
    manager: Manager
  ) => Effect.Effect<CreatedManagementKey, Conflict | InvalidParameter | InvalidToken | Refused>
  /** Newest first, including revoked ones. */
  readonly list: (
    organization_id: string,
    page: PageRequest,
    manager: Manager
  ) => Effect.Effect<Page<ManagementKey>, InvalidParameter | Refused>
  /**
   * Takes effect on all replicas at once. A key of any role may revoke itself. Repeating it returns the same and adds no audit entry.
   */
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
    create: Effect.fnUntraced(function* (organization_id, { allowed_ips = [], expires_at, name, role }, manager) {
      yield* permitOn(manager, "createManagementKey", organization_id)
      const created_at = yield* timestamp
      const fault = expiryFault(expires_at, created_at)
      if (fault !== undefined) return yield* fault
      const key = composeManagementKey(secrets.random(randomLength))
      const secret = Redacted.make(key)
      const record: ManagementKey = {
        id: identify("mgk"),
        organization_id,
        name,
        role,
        prefix: visiblePrefix(key),
        created_by: manager.actor,
        allowed_ips,
        created_at,
        ...(expires_at !== undefined && { expires_at })
      }
      const maker = makerOf(manager)
      const details = { name, role, prefix: record.prefix, ...(expires_at !== undefined && { expires_at }) }
      yield* withAudit(keys.create(record, secrets.hash(secret), maker), () =>
        entryOf(manager.actor, "management_key.created", record, details)
      )
      return { record, secret }
    }),

    list: (organization_id, page, manager) =>
      Effect.andThen(permitOn(manager, "listManagementKeys", organization_id), keys.list(organization_id, page)),

    revoke: Effect.fnUntraced(function* (id, manager) {
      const isItself = isManagementKey(manager.kind) && manager.actor === id
      if (!isItself) yield* permitFound(manager, "revokeManagementKey", keys.get(id), "management key")
      const { record } = yield* withAudit(keys.revoke(id, yield* timestamp), ({ record: key, repeated }) =>
        repeated ? undefined : entryOf(manager.actor, "management_key.revoked", key, { prefix: key.prefix })
      )
      return record
    })
  }
})
