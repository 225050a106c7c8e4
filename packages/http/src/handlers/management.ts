import { type ApiKeyRecord, keyStatus } from "@postcode/core/ApiKey"
import { grantCredits } from "@postcode/core/operations/grantCredits"
import { manageAccessRequests } from "@postcode/core/operations/manageAccessRequests"
import { manageKeys } from "@postcode/core/operations/manageKeys"
import { manageOrganizations } from "@postcode/core/operations/manageOrganizations"
import { reportUsage } from "@postcode/core/operations/reportUsage"
import { AccessRequests } from "@postcode/core/ports/AccessRequests"
import { ApiKeys } from "@postcode/core/ports/ApiKeys"
import { AuditLog } from "@postcode/core/ports/AuditLog"
import { CreditLedger } from "@postcode/core/ports/CreditLedger"
import { Organizations } from "@postcode/core/ports/Organizations"
import { Clock, Effect, Redacted } from "effect"
import type { GroupHandlers } from "../Handler.ts"
import { endUserHandlers } from "./endUsers.ts"
import { pageRequest } from "./page.ts"

/** Who acts, in the audit log: the one operator that a token stands for. */
const actor = "operator"

export const managementHandlers = Effect.gen(function* () {
  const organizations = yield* organizationHandlers
  const keys = yield* keyHandlers
  const money = yield* creditHandlers
  const access = yield* accessHandlers
  const endUsers = yield* endUserHandlers(actor)
  const handlers: GroupHandlers<"management"> = { ...organizations, ...keys, ...money, ...access, ...endUsers }
  return handlers
})

type Some<Names extends keyof GroupHandlers<"management">> = Pick<GroupHandlers<"management">, Names>

const organizationHandlers = Effect.gen(function* () {
  const organizations = yield* Organizations
  const manage = yield* manageOrganizations

  const handlers: Some<"createOrganization" | "getOrganization" | "listOrganizations" | "updateOrganization"> = {
    createOrganization: ({ payload }) => Effect.map(manage.create(payload.name, actor), asData),
    getOrganization: ({ params }) => Effect.map(organizations.get(params.id), asData),
    listOrganizations: ({ query }) =>
      Effect.map(organizations.list(pageRequest(query)), ({ items, next_cursor }) => ({
        data: { organizations: items, next_cursor }
      })),
    updateOrganization: ({ params, payload }) => Effect.map(manage.update(params.id, payload, actor), asData)
  }
  return handlers
})

const keyHandlers = Effect.gen(function* () {
  const apiKeys = yield* ApiKeys
  const manage = yield* manageKeys
  const clock = yield* Clock.Clock
  const withStatus = (record: ApiKeyRecord) => {
    const now = new Date(clock.currentTimeMillisUnsafe()).toISOString()
    return { ...record, status: keyStatus(record, now) }
  }

  const handlers: Some<"createKey" | "listKeys" | "revokeKey" | "rotateKey"> = {
    createKey: ({ params, payload }) =>
      Effect.map(
        manage.create(params.id, { ...payload, origins: payload.origins ?? [] }, actor),
        ({ record, secret }) => ({ data: { ...withStatus(record), secret: Redacted.value(secret) } })
      ),
    listKeys: ({ params, query }) =>
      Effect.map(apiKeys.list(params.id, pageRequest(query)), ({ items, next_cursor }) => ({
        data: { keys: items.map(withStatus), next_cursor }
      })),
    rotateKey: ({ params, payload }) =>
      Effect.map(manage.rotate(params.id, payload.overlap, actor), ({ record, replaced, secret }) => ({
        data: {
          ...withStatus(record),
          replaced_expires_at: replaced.expires_at as string,
          secret: Redacted.value(secret)
        }
      })),
    revokeKey: ({ params }) =>
      Effect.map(manage.revoke(params.id, actor), ({ id, revoked_at }) => ({
        data: { id, revoked_at: revoked_at as string }
      }))
  }
  return handlers
})

const creditHandlers = Effect.gen(function* () {
  const ledger = yield* CreditLedger
  const grant = yield* grantCredits
  const report = yield* reportUsage

  const handlers: Some<"credits" | "grantCredits" | "usage"> = {
    grantCredits: ({ params, payload }) => Effect.map(grant({ organization_id: params.id, ...payload }, actor), asData),
    credits: ({ params, query }) =>
      Effect.map(
        ledger.statement({ organization_id: params.id, environment: query.environment }, pageRequest(query)),
        ({ balance, entries }) => ({ data: { balance, entries: entries.items, next_cursor: entries.next_cursor } })
      ),
    usage: ({ params, query: { environment, from, to } }) =>
      Effect.map(report({ organization_id: params.id, environment, from, to }), (usage) => ({ data: { usage } }))
  }
  return handlers
})

const accessHandlers = Effect.gen(function* () {
  const accessRequests = yield* AccessRequests
  const auditLog = yield* AuditLog
  const manage = yield* manageAccessRequests

  const handlers: Some<"audit" | "createAccessRequest" | "decideAccessRequest" | "listAccessRequests"> = {
    createAccessRequest: ({ params, payload }) => Effect.map(manage.create(params.id, payload, actor), asData),
    listAccessRequests: ({ query }) =>
      Effect.map(accessRequests.list(pageRequest(query)), ({ items, next_cursor }) => ({
        data: { access_requests: items, next_cursor }
      })),
    decideAccessRequest: ({ params, payload }) =>
      Effect.map(manage.decide(params.id, { status: payload.decision, note: payload.note }, actor), asData),
    audit: ({ query }) => {
      const { action, organization_id } = query
      const filter = {
        ...(action !== undefined && { action }),
        ...(organization_id !== undefined && { organization_id })
      }
      return Effect.map(auditLog.list(filter, pageRequest(query)), ({ items, next_cursor }) => ({
        data: { events: items, next_cursor }
      }))
    }
  }
  return handlers
})

const asData = <A>(data: A) => ({ data })
