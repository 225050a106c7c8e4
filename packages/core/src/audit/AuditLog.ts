/** Port: who did what, when. Append only. */
import { Context, type Effect } from "effect"
import type { InvalidParameter, Unavailable } from "../Errors.ts"
import type { Page, PageRequest } from "../Page.ts"

/** Everything that is noted. */
export const auditActions = [
  "organization.created",
  "organization.updated",
  "organization.kyb_submitted",
  "key.created",
  "key.revoked",
  "key.rotated",
  "credits.granted",
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
  "account.renamed",
  "account.role_changed",
  "account.removed",
  "account.signed_in",
  "account.sign_in_failed",
  "account.signed_out",
  "account.signed_out_everywhere",
  "account.password_changed",
  "passkey.added",
  "passkey.removed",
  "webhook.created",
  "webhook.removed",
  "webhook.secret_rotated",
  "webhook.tested",
  "webhook.retried",
  "directory.imported",
  "journal.month_dropped"
] as const

/** What was done. */
export type AuditAction = (typeof auditActions)[number]

/** Who did what to what, when. */
export interface AuditEvent {
  readonly id: string
  /** ISO 8601, UTC. */
  readonly at: string
  /**
   * Who: `operator` for the operator token, the id of an account, the key's id for a widget session, `nobody` for someone
   * who could not sign in, `command` for a command with the address of the database, `service` for the service itself.
   */
  readonly actor: string
  readonly action: AuditAction
  /**
   * The id of what it was done to; the keyed hash of the identifier for a widget session, and for a search for an end user
   * that found nobody; the number of an imported edition.
   */
  readonly subject: string
  readonly organization_id?: string
  /** What changed, without secrets or identifiers. */
  readonly details: Readonly<Record<string, string | number>>
}

/**
 * Which events a list holds; an absent field narrows nothing. Moments are ISO 8601, UTC, as `Date.toISOString` writes
 * them. They may rely on events being appended within the hour in which they happened, and on clocks that differ by less.
 */
export interface AuditFilter {
  readonly organization_id?: string
  /** One of these. */
  readonly actions?: ReadonlyArray<AuditAction>
  readonly actor?: string
  readonly subject?: string
  /** Not before this moment. */
  readonly from?: string
  /** Before this moment. */
  readonly to?: string
}

export class AuditLog extends Context.Service<
  AuditLog,
  {
    readonly append: (event: AuditEvent) => Effect.Effect<void, Unavailable>
    /** Appends all of them in their order, or none: for a change of many things at once. */
    readonly appendAll: (events: ReadonlyArray<AuditEvent>) => Effect.Effect<void, Unavailable>
    /** Events newest first. */
    readonly list: (
      filter: AuditFilter,
      page: PageRequest
    ) => Effect.Effect<Page<AuditEvent>, InvalidParameter | Unavailable>
  }
>()("@postcode/core/AuditLog") {}
