import type { Manager } from "@postcode/gateway/ManagementAccess"
import { manageOrganizations } from "@postcode/gateway/organizations/manageOrganizations"
import { changeOrganizationStatus } from "@postcode/gateway/suspension/changeOrganizationStatus"
import { Effect } from "effect"
import type { GroupHandlers } from "../../pipeline/Handler.ts"
import { asData } from "../asData.ts"
import { pageRequest } from "../page.ts"

export const organizationHandlers = Effect.gen(function* () {
  const manage = yield* manageOrganizations
  const status = yield* changeOrganizationStatus

  const handlers: Pick<
    GroupHandlers<"management">,
    | "closeOrganization"
    | "createOrganization"
    | "getOrganization"
    | "listOrganizations"
    | "resumeOrganization"
    | "suspendOrganization"
    | "updateOrganization"
  > = {
    createOrganization: ({ manager, payload }) => Effect.map(manage.create(payload.name, manager as Manager), asData),
    getOrganization: ({ manager, params }) => Effect.map(manage.get(params.id, manager as Manager), asData),
    listOrganizations: ({ manager, query: { cursor, limit, order, ...filter } }) =>
      Effect.map(
        manage.list(filter, pageRequest({ cursor, limit, order }), manager as Manager),
        ({ items, next_cursor }) => ({ data: { organizations: items, next_cursor } })
      ),
    updateOrganization: ({ manager, params, payload }) =>
      Effect.map(manage.update(params.id, payload, manager as Manager), asData),
    suspendOrganization: ({ manager, params, payload }) =>
      Effect.map(status.suspend(params.id, payload.reason, manager as Manager), asData),
    resumeOrganization: ({ manager, params, payload }) =>
      Effect.map(status.resume(params.id, payload.reason, manager as Manager), asData),
    closeOrganization: ({ manager, params, payload }) =>
      Effect.map(status.close(params.id, payload.reason, manager as Manager), ({ organization, ...removed }) => ({
        data: { ...organization, ...removed }
      }))
  }
  return handlers
})
