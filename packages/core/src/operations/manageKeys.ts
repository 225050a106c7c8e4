/** Create and revoke API keys. */
import { Effect, Redacted } from "effect"
import { type ApiKeyRecord, composeKey, randomLength, visiblePrefix } from "../ApiKey.ts"
import {
  InsufficientLevel,
  type InsufficientScope,
  InvalidParameter,
  KybRequired,
  type NotFound,
  type Unavailable
} from "../Errors.ts"
import { type Manager, permit, permitOn } from "../ManagementAccess.ts"
import type { Page, PageRequest } from "../Page.ts"
import { ApiKeys } from "../ports/ApiKeys.ts"
import type { AuditLog } from "../ports/AuditLog.ts"
import { Organizations } from "../ports/Organizations.ts"
import { Secrets } from "../ports/Secrets.ts"
import type { Transactions } from "../ports/Transactions.ts"
import { audited, newId, timestamp } from "./audit.ts"

export type KeyRequest = Pick<
  ApiKeyRecord,
  "environment" | "kind" | "max_level" | "name" | "origins" | "rate_limit_per_minute" | "scopes"
>

/** A key just made: the only time that the key itself is there. */
export interface CreatedKey {
  readonly record: ApiKeyRecord
  readonly secret: Redacted.Redacted<string>
}

export interface ManageKeys {
  readonly create: (
    organization_id: string,
    request: KeyRequest,
    manager: Manager
  ) => Effect.Effect<
    CreatedKey,
    InsufficientLevel | InsufficientScope | InvalidParameter | KybRequired | NotFound | Unavailable
  >
  /** Newest first, revoked ones included. */
  readonly list: (
    organization_id: string,
    page: PageRequest,
    manager: Manager
  ) => Effect.Effect<Page<ApiKeyRecord>, InsufficientScope | InvalidParameter | NotFound | Unavailable>
  /** In force at once where it is taken. Once more answers the same and leaves no audit entry. */
  readonly revoke: (
    id: string,
    manager: Manager
  ) => Effect.Effect<ApiKeyRecord, InsufficientScope | NotFound | Unavailable>
}

export const manageKeys: Effect.Effect<ManageKeys, never, ApiKeys | AuditLog | Organizations | Secrets | Transactions> =
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const organizations = yield* Organizations
    const secrets = yield* Secrets
    const identify = yield* newId
    const withAudit = yield* audited

    return {
      create: Effect.fnUntraced(function* (organization_id, request, manager) {
        yield* permitOn(manager, "createKey", organization_id)
        const organization = yield* organizations.get(organization_id)
        if (request.max_level > organization.granted_level) {
          return yield* new InsufficientLevel({
            message: `max_level: the organization is granted level ${organization.granted_level}, so a key may have at most that`
          })
        }
        if (request.environment === "live" && organization.kyb_status !== "verified") {
          return yield* new KybRequired({ message: "a live key needs a verified business (kyb_status `verified`)" })
        }
        if (request.kind === "secret" && request.origins.length > 0) {
          return yield* new InvalidParameter({
            parameter: "origins",
            message: "origins: only a publishable key is bound to origins"
          })
        }
        const secret = composeKey(request.kind, request.environment, secrets.random(randomLength))
        const key: ApiKeyRecord = {
          id: identify("key"),
          organization_id,
          ...request,
          prefix: visiblePrefix(secret),
          created_at: yield* timestamp
        }
        const { environment, kind, max_level, name, prefix } = key
        yield* withAudit(keys.create(key, secrets.hash(Redacted.make(secret))), () => ({
          actor: manager.actor,
          action: "key.created",
          subject: key.id,
          organization_id,
          details: { name, kind, environment, max_level, prefix }
        }))
        return { record: key, secret: Redacted.make(secret) }
      }),

      list: (organization_id, page, manager) =>
        Effect.andThen(permitOn(manager, "listKeys", organization_id), keys.list(organization_id, page)),

      revoke: Effect.fnUntraced(function* (id, manager) {
        yield* permit(manager, "revokeKey")
        const { organization_id } = yield* keys.get(id)
        yield* permitOn(manager, "revokeKey", organization_id, "key")
        const { record } = yield* withAudit(keys.revoke(id, yield* timestamp), ({ record: key, repeated }) =>
          repeated
            ? undefined
            : {
                actor: manager.actor,
                action: "key.revoked",
                subject: id,
                organization_id,
                details: { prefix: key.prefix }
              }
        )
        return record
      })
    }
  })
