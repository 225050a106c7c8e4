import { type ApiKeyRecord, keyStatus } from "@postcode/core/ApiKey"
import type { Manager } from "@postcode/core/ManagementAccess"
import { grantCredits } from "@postcode/core/operations/grantCredits"
import { manageAccessRequests } from "@postcode/core/operations/manageAccessRequests"
import { manageKeys } from "@postcode/core/operations/manageKeys"
import { manageOrganizations } from "@postcode/core/operations/manageOrganizations"
import { readAuditLog } from "@postcode/core/operations/readAuditLog"
import { readStatement } from "@postcode/core/operations/readStatement"
import { reportUsage } from "@postcode/core/operations/reportUsage"
import { Clock, Effect, Redacted } from "effect"
import type { GroupHandlers } from "../Handler.ts"
import { endUserHandlers } from "./endUsers.ts"
import { pageRequest } from "./page.ts"

/** All of it is for managers, as the contract names them; see `Dispatch`. */
export const managementHandlers = Effect.gen(function* () {
  const organizations = yield* organizationHandlers
  const keys = yield* keyHandlers
  const money = yield* creditHandlers
  const access = yield* accessHandlers
  const endUsers = yield* endUserHandlers
  const handlers: GroupHandlers<"management"> = { ...organizations, ...keys, ...money, ...access, ...endUsers }
  return handlers
})

type Some<Names extends keyof GroupHandlers<"management">> = Pick<GroupHandlers<"management">, Names>

const organizationHandlers = Effect.gen(function* () {
  const manage = yield* manageOrganizations

  const handlers: Some<"createOrganization" | "getOrganization" | "listOrganizations" | "updateOrganization"> = {
    createOrganization: ({ manager, payload }) => Effect.map(manage.create(payload.name, manager as Manager), asData),
    getOrganization: ({ manager, params }) => Effect.map(manage.get(params.id, manager as Manager), asData),
    listOrganizations: ({ manager, query }) =>
      Effect.map(manage.list(pageRequest(query), manager as Manager), ({ items, next_cursor }) => ({
        data: { organizations: items, next_cursor }
      })),
    updateOrganization: ({ manager, params, payload }) =>
      Effect.map(manage.update(params.id, payload, manager as Manager), asData)
  }
  return handlers
})

const keyHandlers = Effect.gen(function* () {
  const manage = yield* manageKeys
  const clock = yield* Clock.Clock
  const withStatus = (record: ApiKeyRecord) => {
    const now = new Date(clock.currentTimeMillisUnsafe()).toISOString()
    return { ...record, status: keyStatus(record, now) }
  }

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
  const report = yield* reportUsage

  const handlers: Some<"credits" | "grantCredits" | "usage"> = {
    grantCredits: ({ manager, params, payload }) =>
      Effect.map(grant({ organization_id: params.id, ...payload }, manager as Manager), asData),
    credits: ({ manager, params, query }) =>
      Effect.map(
        statement(
          { organization_id: params.id, environment: query.environment },
          pageRequest(query),
          manager as Manager
        ),
        ({ balance, entries }) => ({ data: { balance, entries: entries.items, next_cursor: entries.next_cursor } })
      ),
    usage: ({ manager, params, query: { environment, from, to } }) =>
      Effect.map(report({ organization_id: params.id, environment, from, to }, manager as Manager), (usage) => ({
        data: { usage }
      }))
  }
  return handlers
})

const accessHandlers = Effect.gen(function* () {
  const readLog = yield* readAuditLog
  const manage = yield* manageAccessRequests

  const handlers: Some<"audit" | "createAccessRequest" | "decideAccessRequest" | "listAccessRequests"> = {
    createAccessRequest: ({ manager, params, payload }) =>
      Effect.map(manage.create(params.id, payload, manager as Manager), asData),
    listAccessRequests: ({ manager, query }) =>
      Effect.map(manage.list(pageRequest(query), manager as Manager), ({ items, next_cursor }) => ({
        data: { access_requests: items, next_cursor }
      })),
    decideAccessRequest: ({ manager, params, payload: { decision, note } }) =>
      Effect.map(manage.decide(params.id, { status: decision, note }, manager as Manager), asData),
    audit: ({ manager, query }) => {
      const { action, organization_id } = query
      const filter = {
        ...(action !== undefined && { action }),
        ...(organization_id !== undefined && { organization_id })
      }
      return Effect.map(readLog(filter, pageRequest(query), manager as Manager), ({ items, next_cursor }) => ({
        data: { events: items, next_cursor }
      }))
    }
  }
  return handlers
})

const asData = <A>(data: A) => ({ data })
