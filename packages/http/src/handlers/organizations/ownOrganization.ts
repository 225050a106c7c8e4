import type { Manager } from "@postcode/gateway/ManagementAccess"
import { ownOrganization } from "@postcode/gateway/organizations/ownOrganization"
import { Effect } from "effect"
import type { GroupHandlers } from "../../pipeline/Handler.ts"
import { asData } from "../asData.ts"

type OwnOrganizationHandlers = Pick<GroupHandlers<"management">, "renameOrganization" | "submitKyb">

export const ownOrganizationHandlers = Effect.gen(function* () {
  const own = yield* ownOrganization

  const handlers: OwnOrganizationHandlers = {
    submitKyb: ({ manager, params, payload }) =>
      Effect.map(own.submitKyb(params.id, payload, manager as Manager), asData),
    renameOrganization: ({ manager, params, payload }) =>
      Effect.map(own.rename(params.id, payload.name, manager as Manager), asData)
  }
  return handlers
})
