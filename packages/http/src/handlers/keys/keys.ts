import { manageKeys } from "@postcode/gateway/keys/manageKeys"
import type { Manager } from "@postcode/gateway/ManagementAccess"
import { inspectKey } from "@postcode/gateway/usage/inspectKey"
import { Effect, Redacted } from "effect"
import { requireOwnNames } from "../../input/PublicSuffix.ts"
import type { GroupHandlers } from "../../pipeline/Handler.ts"
import { asData } from "../asData.ts"
import { pageRequest } from "../page.ts"
import { apiKeyNow } from "./statusNow.ts"

export const keyHandlers = Effect.gen(function* () {
  const manage = yield* manageKeys
  const inspect = yield* inspectKey
  const withStatus = yield* apiKeyNow

  const handlers: Pick<
    GroupHandlers<"management">,
    "createKey" | "getKey" | "keyTraffic" | "listKeys" | "revokeKey" | "rotateKey" | "updateKey"
  > = {
    createKey: ({ manager, params, payload }) =>
      requireOwnNames(payload.origins).pipe(
        Effect.andThen(manage.create(params.id, { ...payload, origins: payload.origins ?? [] }, manager as Manager)),
        Effect.map(({ record, secret }) => ({ data: { ...withStatus(record), secret: Redacted.value(secret) } }))
      ),
    listKeys: ({ manager, params, query }) =>
      Effect.map(manage.list(params.id, pageRequest(query), manager as Manager), ({ items, next_cursor }) => ({
        data: { keys: items.map(withStatus), next_cursor }
      })),
    getKey: ({ manager, params }) =>
      Effect.map(inspect.show(params.id, manager as Manager), (record) => ({ data: withStatus(record) })),
    keyTraffic: ({ manager, params }) => Effect.map(inspect.traffic(params.id, manager as Manager), asData),
    updateKey: ({ manager, params, payload }) =>
      requireOwnNames(payload.origins).pipe(
        Effect.andThen(manage.update(params.id, payload, manager as Manager)),
        Effect.map((record) => ({ data: withStatus(record) }))
      ),
    rotateKey: ({ manager, params, payload: { overlap } }) =>
      Effect.map(manage.rotate(params.id, overlap, manager as Manager), ({ record, replaced, secret }) => ({
        data: {
          ...withStatus(record),
          replaced_expires_at: replaced.expires_at as string,
          secret: Redacted.value(secret)
        }
      })),
    revokeKey: ({ manager, params }) =>
      Effect.map(manage.revoke(params.id, manager as Manager), ({ id, revoked_at }) => ({
        data: { id, revoked_at: revoked_at as string }
      }))
  }
  return handlers
})
