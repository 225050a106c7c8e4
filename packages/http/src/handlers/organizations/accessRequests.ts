import type { Manager } from "@postcode/gateway/ManagementAccess"
import { manageAccessRequests } from "@postcode/gateway/organizations/manageAccessRequests"
import { Effect } from "effect"
import type { GroupHandlers } from "../../pipeline/Handler.ts"
import { asData } from "../asData.ts"
import { pageRequest } from "../page.ts"

export const accessRequestHandlers = Effect.gen(function* () {
  const manage = yield* manageAccessRequests

  const handlers: Pick<
    GroupHandlers<"management">,
    "createAccessRequest" | "decideAccessRequest" | "listAccessRequests"
  > = {
    createAccessRequest: ({ manager, params, payload }) =>
      Effect.map(manage.create(params.id, payload, manager as Manager), asData),
    listAccessRequests: ({ manager, query: { cursor, limit, order, ...filter } }) =>
      Effect.map(
        manage.list(filter, pageRequest({ cursor, limit, order }), manager as Manager),
        ({ items, next_cursor }) => ({ data: { access_requests: items, next_cursor } })
      ),
    decideAccessRequest: ({ manager, params, payload: { decision, note } }) =>
      Effect.map(manage.decide(params.id, { status: decision, note }, manager as Manager), asData)
  }
  return handlers
})
