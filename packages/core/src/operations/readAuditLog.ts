/** Who did what, when. */
import { Effect } from "effect"
import type { InsufficientScope, InvalidParameter, Unavailable } from "../Errors.ts"
import { type Manager, permit } from "../ManagementAccess.ts"
import type { Page, PageRequest } from "../Page.ts"
import { type AuditEvent, type AuditFilter, AuditLog } from "../ports/AuditLog.ts"

/** Newest first. A member sees what concerns their own organization; of another one there is nothing to be seen. */
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
    const { organization_id = filter.organization_id } = manager
    if (filter.organization_id !== undefined && filter.organization_id !== organization_id) return nothing
    return yield* log.list({ ...filter, ...(organization_id !== undefined && { organization_id }) }, page)
  })
)

const nothing: Page<AuditEvent> = { items: [], next_cursor: null }
