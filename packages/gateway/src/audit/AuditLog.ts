/** Port: the audit log. Append-only. */
import { Context, type Effect } from "effect"
import type { InvalidParameter, Unavailable } from "../Errors.ts"
import type { Page, PageRequest } from "../Page.ts"

/** All audited actions. */
export const auditActions = [
  "organization.created",
  "organization.updated",
  "organization.kyb_submitted",
  "organization.suspended",
  "organization.resumed",
  "organization.closed",
  "key.created",
  "key.updated",
  "key.revoked",
  "key.rotated",
  "credits.granted",
  "credits.corrected",
  "credits.threshold_set",
  "access_request.created",
  "access_request.decided",
  "end_user.saved",
  "end_user.searched",
  "end_user.viewed",
  "end_user.removed",
  "widget_session.requested",
  "invitation.created",
  "invitation.withdrawn",
  "account.created",
  "account.joined",
  "account.left",
  "account.renamed",
  "account.mail_changed",
  "account.role_changed",
  "account.removed",
  "account.signed_in",
  "account.sign_in_failed",
  "account.signed_out",
  "account.signed_out_everywhere",
  "account.password_changed",
  "account.password_reset",
  "account.address_requested",
  "account.address_changed",
  "account.address_restored",
  "sign_up.stopped",
  "sign_up.resumed",
  "passkey.added",
  "passkey.removed",
  "management_key.created",
  "management_key.revoked",
  "widget.settings_changed",
  "widget.proof_key_created",
  "webhook.created",
  "webhook.removed",
  "webhook.secret_rotated",
  "webhook.tested",
  "webhook.retried",
  "webhook.listened",
  "webhook.triggered",
  "directory.imported",
  "directory.reverted",
  "directory.changed",
  "journal.month_dropped",
  "ledger.month_archived",
  "ledger.month_dropped"
] as const

/** An audited action. */
export type AuditAction = (typeof auditActions)[number]

/** An audit event. */
export interface AuditEvent {
  readonly id: string
  /** ISO 8601, UTC. */
  readonly at: string
  /**
   * The actor: `operator` for the operator token, the id of an account or of a management key, the key's id for a
   * widget session, `nobody` for a failed sign-in, `command` for a command with database access, `service` for the
   * service itself.
   */
  readonly actor: string
  readonly action: AuditAction
  /**
   * The id of the subject; the keyed hash of the identifier for a widget session (the key's id without an identifier),
   * and for a search for an end user without result; the number of an edition, and the version after a change of the
   * directory.
   */
  readonly subject: string
  readonly organization_id?: string
  /** The changes, without secrets or identifiers. */
  readonly details: Readonly<Record<string, string | number>>
}

/**
 * Filter of a list; absent fields match all. Times are ISO 8601, UTC, as `Date.toISOString` writes them. Stores may
 * assume that events are appended within an hour and that clocks differ by less than that.
 */
export interface AuditFilter {
  readonly organization_id?: string
  /** Any of these actions. */
  readonly actions?: ReadonlyArray<AuditAction>
  readonly actor?: string
  readonly subject?: string
  /** From this time on. */
  readonly from?: string
  /** Before this time. */
  readonly to?: string
}

export class AuditLog extends Context.Service<
  AuditLog,
  {
    readonly append: (event: AuditEvent) => Effect.Effect<void, Unavailable>
    /** Appends all events in order, or none. */
    readonly appendAll: (events: ReadonlyArray<AuditEvent>) => Effect.Effect<void, Unavailable>
    /** Newest first. */
    readonly list: (
      filter: AuditFilter,
      page: PageRequest
    ) => Effect.Effect<Page<AuditEvent>, InvalidParameter | Unavailable>
  }
>()("@postcode/gateway/AuditLog") {}
