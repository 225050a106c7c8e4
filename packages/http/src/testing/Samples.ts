/** One request for each endpoint that it answers with a success, given the ids of a scene. */
import { endpointOf, type Operation } from "./Contract.ts"
import { postcodes } from "./FixtureDirectory.ts"
import type { Operator } from "./Operator.ts"
import { operatorToken } from "./OperatorToken.ts"
import { dataOf } from "./Received.ts"
import { json, type Message, url } from "./TestClient.ts"

/** What the samples are about: an organization with a key and a pending access request. */
export interface Scene {
  readonly organization: string
  readonly key: string
  readonly access_request: string
  readonly end_user: string
  /** The key itself. */
  readonly secret: string
  /** A publishable key of the same organization. */
  readonly publishable: string
  /** The token of a widget session that was started with it. */
  readonly session: string
}

export interface Sample {
  /** What stands in the path for `:id`. */
  readonly id?: Exclude<keyof Scene, "publishable" | "secret" | "session">
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
}

export const samples: Readonly<Record<Operation, Sample>> = {
  "search.autocomplete": { query: { q: "LA", limit: "5" } },
  "search.reverse": { query: { lat: "6.6018", lon: "3.3515", radius_m: "25" } },
  "search.nearby": { query: { lat: "6.6018", lon: "3.3515", radius_m: "300", limit: "5" } },
  "lookup.single": { query: { code: postcodes.full, level: "1" } },
  "lookup.batch": { body: { level: 1, codes: [postcodes.full] } },
  "assembly.assemble": { body: { state: "LA", lga: "12", district: "A03", area: "BG", unit: "07" } },
  "assembly.disassemble": { query: { code: postcodes.full } },
  "reference.states": {},
  "reference.lgas": { query: { state: "LA" } },
  "reference.districts": { query: { state: "LA", lga: "12" } },
  "reference.areas": { query: { state: "LA", lga: "12", district: "A03" } },
  "widget.session": { body: { identifier: "sample@example.com" } },
  "widget.bookmarks": {},
  "widget.selected": { body: { postcode: postcodes.full } },
  "management.createOrganization": { body: { name: "Sample" } },
  "management.listOrganizations": { query: { limit: "2" } },
  "management.getOrganization": { id: "organization" },
  "management.updateOrganization": { id: "organization", body: { name: "Sample", review_note: "reviewed" } },
  "management.createKey": {
    id: "organization",
    body: {
      name: "sample",
      kind: "publishable",
      environment: "test",
      scopes: ["search"],
      max_level: 1,
      origins: ["https://shop.example"],
      rate_limit_per_minute: 60,
      daily_credit_limit: 100,
      expires_at: "2035-01-31T12:00:00Z"
    }
  },
  "management.listKeys": { id: "organization", query: { limit: "2" } },
  "management.rotateKey": { id: "key", body: { overlap: "24h" } },
  "management.revokeKey": { id: "key" },
  "management.grantCredits": { id: "organization", body: { amount: 5, environment: "test", reference: "sample" } },
  "management.credits": { id: "organization", query: { environment: "test", limit: "2" } },
  "management.usage": { id: "organization", query: { environment: "test", from: "2026-01-01", to: "2026-01-31" } },
  "management.createAccessRequest": { id: "organization", body: { level: 4, reason: "sample" } },
  "management.listAccessRequests": { query: { limit: "2" } },
  "management.decideAccessRequest": { id: "access_request", body: { decision: "rejected", note: "sample" } },
  "management.saveEndUser": {
    body: { identifiers: ["sample@example.com"], bookmarks: [{ postcode: postcodes.full, label: "Home" }] }
  },
  "management.saveEndUsers": {
    body: { end_users: [{ identifiers: ["sample@example.com"], bookmarks: [] }] }
  },
  "management.countEndUsers": {},
  "management.findEndUser": { body: { identifier: "found@example.com" } },
  "management.getEndUser": { id: "end_user" },
  "management.removeEndUser": { id: "end_user" },
  "management.audit": { query: { limit: "2", action: "key.created" } },
  "health.live": {},
  "health.ready": {}
}

export const makeScene = async (operator: Operator): Promise<Scene> => {
  const { id, organization_id, secret } = await operator.key({ granted_level: 2, max_level: 2 })
  const requested = await operator.call("POST", `/v1/admin/organizations/${organization_id}/access-requests`, {
    level: 3,
    reason: "for a test"
  })
  const bookmarks = [{ postcode: postcodes.full, label: "Home" }]
  const saved = await operator.call("PUT", "/v1/admin/end-users", { identifiers: ["found@example.com"], bookmarks })
  const publishable = await operator.key({ organization_id, kind: "publishable", max_level: 1 })
  return {
    organization: organization_id,
    key: id,
    access_request: dataOf<{ readonly id: string }>(requested).id,
    end_user: dataOf<{ readonly id: string }>(saved).id,
    secret,
    publishable: publishable.secret,
    session: await operator.session(publishable)
  }
}

/**
 * The request of an operation's sample. It carries the credential that the endpoint needs, and no other.
 *
 * @param changes what to send in place of the sample's own query or body
 */
export const sampleMessage = (operation: Operation, scene: Scene, changes: Partial<Sample> = {}): Message => {
  const { access, method, path } = endpointOf(operation)
  const { body, id, query } = { ...samples[operation], ...changes }
  const message: Message = {
    method,
    target: url(id === undefined ? path : path.replace(":id", scene[id]), query),
    ...(access === "key" && { key: scene.secret }),
    ...(access === "publishable" && { key: scene.publishable }),
    ...(access === "session" && { token: scene.session }),
    ...(access === "operator" && { token: operatorToken })
  }
  return body === undefined ? message : { ...message, ...json(body) }
}
