import { describeDirectory } from "@postcode/core/directory/describeDirectory"
import type { Manager } from "@postcode/core/ManagementAccess"
import { ownOrganization } from "@postcode/core/organizations/ownOrganization"
import { Effect } from "effect"
import type { GroupHandlers } from "../Handler.ts"
import { asData } from "./asData.ts"

type ReviewHandlers = Pick<GroupHandlers<"management">, "directory" | "renameOrganization" | "submitKyb">

export const reviewHandlers = Effect.gen(function* () {
  const own = yield* ownOrganization
  const describe = yield* describeDirectory

  const handlers: ReviewHandlers = {
    submitKyb: ({ manager, params, payload }) =>
      Effect.map(own.submitKyb(params.id, payload, manager as Manager), asData),
    renameOrganization: ({ manager, params, payload }) =>
      Effect.map(own.rename(params.id, payload.name, manager as Manager), asData),
    directory: ({ directory, manager }) => Effect.map(describe(directory, manager as Manager), asData)
  }
  return handlers
})
