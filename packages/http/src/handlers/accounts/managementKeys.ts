import { describeManager } from "@postcode/gateway/accounts/describeManager"
import { manageManagementKeys } from "@postcode/gateway/accounts/managementKeys/manageManagementKeys"
import { CurrentDirectory } from "@postcode/gateway/directory/CurrentDirectory"
import type { Manager } from "@postcode/gateway/ManagementAccess"
import { Effect, Redacted } from "effect"
import type { GroupHandlers } from "../../pipeline/Handler.ts"
import { statusNow } from "../keys/statusNow.ts"
import { pageRequest } from "../page.ts"

/** @param mapStyle the operator's style for maps */
export const managementKeyHandlers = Effect.fnUntraced(function* (mapStyle: string | undefined) {
  const manage = yield* manageManagementKeys
  const describe = yield* describeManager
  const { sandbox } = yield* CurrentDirectory
  const withStatus = yield* statusNow

  const handlers: Pick<
    GroupHandlers<"accounts">,
    "createManagementKey" | "listManagementKeys" | "revokeManagementKey" | "whoAmI"
  > = {
    createManagementKey: ({ manager, params, payload }) =>
      Effect.map(manage.create(params.id, payload, manager as Manager), ({ record, secret }) => ({
        data: { ...withStatus(record), secret: Redacted.value(secret) }
      })),
    listManagementKeys: ({ manager, params, query }) =>
      Effect.map(manage.list(params.id, pageRequest(query), manager as Manager), ({ items, next_cursor }) => ({
        data: { management_keys: items.map(withStatus), next_cursor }
      })),
    revokeManagementKey: ({ manager, params }) =>
      Effect.map(manage.revoke(params.id, manager as Manager), ({ id, revoked_at }) => ({
        data: { id, revoked_at: revoked_at as string }
      })),
    whoAmI: ({ manager }) =>
      Effect.map(describe(manager as Manager), (described) => ({
        data: {
          ...described,
          has_sandbox: sandbox !== undefined,
          ...(mapStyle !== undefined && { map_style: mapStyle })
        }
      }))
  }
  return handlers
})
