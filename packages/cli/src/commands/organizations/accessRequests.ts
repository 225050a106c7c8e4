/** `postcode access`. */
import type { DataOf, InputOf } from "@postcode/client"
import type { AccessLevel } from "@postcode/core/AccessLevel"
import { type Paged, printList } from "../../management/lists.ts"
import { printResponse } from "../../management/printResponse.ts"
import type { View } from "../../terminal/Table.ts"
import type { Id, Work } from "../commandsOf.ts"

/** `postcode access list` */
export const listAccessRequests: Work<Paged & InputOf<"GET /v1/admin/access-requests">["query"]> = (
  { page, ...query },
  options
) =>
  printList(options, "GET /v1/admin/access-requests", { query }, page, {
    columns: {
      ID: "id",
      ORGANIZATION: "organization_id",
      LEVEL: { right: "level" },
      STATUS: "status",
      CREATED: "created_at",
      REASON: "reason"
    },
    empty: "no access requests"
  })

/** `postcode access request` */
export const requestAccess: Work<Id & { readonly level: AccessLevel; readonly reason: string }> = (
  { id, ...body },
  options
) => printResponse(options, "POST /v1/admin/organizations/:id/access-requests", { params: { id }, body }, fields)

const fields: View<DataOf<"POST /v1/admin/organizations/:id/access-requests">> = {
  id: "id",
  organization: "organization_id",
  level: "level",
  status: "status",
  reason: "reason",
  note: "note",
  created: "created_at",
  decided: "decided_at"
}

const decide =
  (decision: "approved" | "rejected"): Work<Id & { readonly note: string }> =>
  ({ id, note }, options) =>
    printResponse(
      options,
      "POST /v1/admin/access-requests/:id/decision",
      { params: { id }, body: { decision, note } },
      fields
    )

/** `postcode access approve` */
export const approveAccess = decide("approved")

/** `postcode access reject` */
export const rejectAccess = decide("rejected")
