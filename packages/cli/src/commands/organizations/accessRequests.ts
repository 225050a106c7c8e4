/** `postcode access`. */
import type { DataOf, InputOf } from "@postcode/client"
import type { AccessLevel } from "@postcode/core/AccessLevel"
import { writeJson } from "@postcode/server/process/Output"
import { Effect } from "effect"
import { connect } from "../../management/connect.ts"
import { fetchList, type Paged, printNextPageHint } from "../../management/lists.ts"
import { printResponse } from "../../management/printResponse.ts"
import { printRecord, printTable } from "../../terminal/Print.ts"
import type { View } from "../../terminal/Table.ts"
import type { Id, Work } from "../commandsOf.ts"
import { organizationColumns, organizationFields, withOrganizations } from "./verifiedBusiness.ts"

/** `postcode access list` */
export const listAccessRequests: Work<Paged & InputOf<"GET /v1/admin/access-requests">["query"]> = (
  { page, ...query },
  options
) =>
  Effect.gen(function* () {
    const call = yield* connect(options)
    const { data, items } = yield* fetchList(
      { options, call, route: "GET /v1/admin/access-requests", input: { query } },
      page
    )
    yield* printTable(options, data, options.json ? [] : yield* withOrganizations(call, items), {
      columns: {
        ID: "id",
        ...organizationColumns,
        LEVEL: { right: "level" },
        STATUS: "status",
        CREATED: "created_at",
        REASON: "reason"
      },
      empty: "no access requests"
    })
    if (!options.json) printNextPageHint(data)
  })

/** `postcode access request` */
export const requestAccess: Work<Id & { readonly level: AccessLevel; readonly reason: string }> = (
  { id, ...body },
  options
) => printResponse(options, "POST /v1/admin/organizations/:id/access-requests", { params: { id }, body }, fields)

const requestFields: View<DataOf<"POST /v1/admin/organizations/:id/access-requests">> = {
  level: "level",
  status: "status",
  reason: "reason",
  note: "note",
  created: "created_at",
  decided: "decided_at"
}

const fields: typeof requestFields = { id: "id", organization: "organization_id", ...requestFields }

const decide =
  (decision: "approved" | "rejected"): Work<Id & { readonly note: string }> =>
  ({ id, note }, options) =>
    Effect.gen(function* () {
      const call = yield* connect(options)
      const decided = yield* call("POST /v1/admin/access-requests/:id/decision", {
        params: { id },
        body: { decision, note }
      })
      if (options.json) return yield* writeJson(decided)
      const [shown] = yield* withOrganizations(call, [decided])
      if (shown !== undefined) yield* printRecord(options, shown, { id: "id", ...organizationFields, ...requestFields })
    })

/** `postcode access approve` */
export const approveAccess = decide("approved")

/** `postcode access reject` */
export const rejectAccess = decide("rejected")
