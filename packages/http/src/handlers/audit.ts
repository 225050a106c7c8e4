import { readAuditLog } from "@postcode/gateway/audit/readAuditLog"
import type { Manager } from "@postcode/gateway/ManagementAccess"
import { Effect } from "effect"
import type { GroupHandlers } from "../pipeline/Handler.ts"
import { pageRequest } from "./page.ts"

export const auditHandlers = Effect.gen(function* () {
  const readLog = yield* readAuditLog

  const handlers: Pick<GroupHandlers<"management">, "audit"> = {
    audit: ({ manager, query: { action: actions, cursor, limit, ...others } }) =>
      Effect.map(
        readLog(
          { ...others, ...(actions !== undefined && { actions }) },
          pageRequest({ cursor, limit }),
          manager as Manager
        ),
        ({ items, next_cursor }) => ({ data: { events: items, next_cursor } })
      )
  }
  return handlers
})
