/** Lists the audit log. */
import { Effect } from "effect"
import type { InsufficientScope, InvalidParameter, Unavailable } from "../Errors.ts"
import { filterFor, type Manager, permit } from "../ManagementAccess.ts"
import { emptyPage, type Page, type PageRequest } from "../Page.ts"
import { type AuditEvent, type AuditFilter, AuditLog } from "./AuditLog.ts"

/** Newest first. A member gets only the events of the own organization. */
export const readAuditLog: Effect.Effect<
  (
    filter: AuditFilter,
    page: PageRequest,
    manager: Manager
  ) => Effect.Effect<Page<AuditEvent>, InsufficientScope | InvalidParameter | Unavailable>,
  never,
  AuditLog
> = Effect.map(AuditLog, (log) =>
  Effect.fnUntraced(function* (filter, page, manager) {
    yield* permit(manager, "audit")
    const own = filterFor(manager, filter)
    return own === undefined ? emptyPage : yield* log.list(own, page)
  })
)
