/**
 * Closes the organizations of the sandbox in a store. Earlier versions stored them with their public keys, which were
 * served real units after a start without the sandbox.
 */
import type { AuditLog } from "@postcode/core/audit/AuditLog"
import { audited, entryOf, timestamp } from "@postcode/core/audit/audit"
import type { Conflict, NotFound, Unavailable } from "@postcode/core/Errors"
import { Organizations } from "@postcode/core/organizations/Organizations"
import type { Secrets } from "@postcode/core/store/Secrets"
import type { Transactions } from "@postcode/core/store/Transactions"
import { Effect } from "effect"
import { sandboxOrganizations } from "./SandboxKeys.ts"

export type StoredSandboxPorts = AuditLog | Organizations | Secrets | Transactions

/** Revokes the stored keys of the sandbox, also those that a rotation has made. Logs a line and adds an audit entry if it found any. */
export const closeStoredSandbox: Effect.Effect<void, Conflict | NotFound | Unavailable, StoredSandboxPorts> =
  Effect.gen(function* () {
    const organizations = yield* Organizations
    const withAudit = yield* audited
    const at = yield* timestamp
    for (const { id } of Object.values(sandboxOrganizations)) {
      const stored = yield* Effect.catchTag(organizations.get(id), "NotFound", () => Effect.succeed(undefined))
      if (stored === undefined || stored.status === "closed") continue
      const change = (status: "closed" | "suspended") =>
        organizations.changeStatus(id, { status, status_reason: reason, status_changed_at: at })
      const closed = Effect.andThen(stored.status === "active" ? change("suspended") : Effect.void, change("closed"))
      const { repeated, revoked_keys } = yield* withAudit(closed, ({ repeated, revoked_keys }) =>
        repeated
          ? undefined
          : entryOf("service", "organization.closed", { id, organization_id: id }, { reason, revoked_keys })
      )
      if (!repeated) yield* Effect.logWarning(`${id} was closed and ${revoked_keys} keys were revoked: ${reason}`)
    }
  })

const reason = "An earlier version stored the public keys of the sandbox here."
