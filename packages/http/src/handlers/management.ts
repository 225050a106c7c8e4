import { readAuditLog } from "@postcode/core/audit/readAuditLog"
import { grantCredits } from "@postcode/core/credits/grantCredits"
import { readStatement } from "@postcode/core/credits/readStatement"
import { setLowBalance } from "@postcode/core/credits/setLowBalance"
import { manageKeys } from "@postcode/core/keys/manageKeys"
import type { Manager } from "@postcode/core/ManagementAccess"
import { manageAccessRequests } from "@postcode/core/organizations/manageAccessRequests"
import { manageOrganizations } from "@postcode/core/organizations/manageOrganizations"
import { Effect, Redacted } from "effect"
import type { GroupHandlers } from "../Handler.ts"
import { asData } from "./asData.ts"
import { endUserHandlers } from "./endUsers.ts"
import { pageRequest } from "./page.ts"
import { reviewHandlers } from "./reviews.ts"
import { statusNow, usageHandlers } from "./usage.ts"
import { webhookHandlers } from "./webhooks.ts"

/** All of it is for managers, as the contract names them; see `Dispatch`. */
export const managementHandlers = Effect.gen(function* () {
  const organizations = yield* organizationHandlers
  const keys = yield* keyHandlers
  const money = yield* creditHandlers
  const access = yield* accessHandlers
  const endUsers = yield* endUserHandlers
  const reviews = yield* reviewHandlers
  const usage = yield* usageHandlers
  const webhooks = yield* webhookHandlers
  const handlers: GroupHandlers<"management"> = {
    ...organizations,
    ...keys,
    ...money,
    ...access,
    ...endUsers,
    ...reviews,
    ...usage,
    ...webhooks
  }
  return handlers
})

type Some<Names extends keyof GroupHandlers<"management">> = Pick<GroupHandlers<"management">, Names>

const organizationHandlers = Effect.gen(function* () {
  const manage = yield* manageOrganizations

  const handlers: Some<"createOrganization" | "getOrganization" | "listOrganizations" | "updateOrganization"> = {
    createOrganization: ({ manager, payload }) => Effect.map(manage.create(payload.name, manager as Manager), asData),
    getOrganization: ({ manager, params }) => Effect.map(manage.get(params.id, manager as Manager), asData),
    listOrganizations: ({ manager, query: { cursor, limit, order, ...filter } }) =>
      Effect.map(
        manage.list(filter, pageRequest({ cursor, limit, order }), manager as Manager),
        ({ items, next_cursor }) => ({ data: { organizations: items, next_cursor } })
      ),
    updateOrganization: ({ manager, params, payload }) =>
      Effect.map(manage.update(params.id, payload, manager as Manager), asData)
  }
  return handlers
})

const keyHandlers = Effect.gen(function* () {
  const manage = yield* manageKeys
  const withStatus = yield* statusNow

  const handlers: Some<"createKey" | "listKeys" | "revokeKey" | "rotateKey"> = {
    createKey: ({ manager, params, payload }) =>
      Effect.map(
        manage.create(params.id, { ...payload, origins: payload.origins ?? [] }, manager as Manager),
        ({ record, secret }) => ({ data: { ...withStatus(record), secret: Redacted.value(secret) } })
      ),
    listKeys: ({ manager, params, query }) =>
      Effect.map(manage.list(params.id, pageRequest(query), manager as Manager), ({ items, next_cursor }) => ({
        data: { keys: items.map(withStatus), next_cursor }
      })),
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

const creditHandlers = Effect.gen(function* () {
  const statement = yield* readStatement
  const grant = yield* grantCredits
  const setThreshold = yield* setLowBalance

  const handlers: Some<"credits" | "grantCredits" | "setLowBalance"> = {
    grantCredits: ({ manager, params, payload }) =>
      Effect.map(grant({ organization_id: params.id, ...payload }, manager as Manager), asData),
    credits: ({ manager, params, query: { environment, reference, ...page } }) =>
      Effect.map(
        statement({ organization_id: params.id, environment }, pageRequest(page), manager as Manager, { reference }),
        ({ entries: { items, next_cursor }, ...balance }) => ({ data: { ...balance, entries: items, next_cursor } })
      ),
    setLowBalance: ({ manager, params, payload: { environment, threshold } }) =>
      Effect.map(setThreshold({ organization_id: params.id, environment }, threshold, manager as Manager), asData)
  }
  return handlers
})

const accessHandlers = Effect.gen(function* () {
  const readLog = yield* readAuditLog
  const manage = yield* manageAccessRequests

  const handlers: Some<"audit" | "createAccessRequest" | "decideAccessRequest" | "listAccessRequests"> = {
    createAccessRequest: ({ manager, params, payload }) =>
      Effect.map(manage.create(params.id, payload, manager as Manager), asData),
    listAccessRequests: ({ manager, query: { cursor, limit, order, ...filter } }) =>
      Effect.map(
        manage.list(filter, pageRequest({ cursor, limit, order }), manager as Manager),
        ({ items, next_cursor }) => ({ data: { access_requests: items, next_cursor } })
      ),
    decideAccessRequest: ({ manager, params, payload: { decision, note } }) =>
      Effect.map(manage.decide(params.id, { status: decision, note }, manager as Manager), asData),
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
