/**
 * Records for conformance suites. Ids, hashes and references are unique, also across runs, so suites can share a
 * database.
 */

import type { Environment } from "@postcode/core/Credits"
import { Effect } from "effect"
import type { AuditEvent } from "../audit/AuditLog.ts"
import type { ApiKeyRecord } from "../keys/ApiKey.ts"
import { ApiKeys } from "../keys/ApiKeys.ts"
import type { AccessRequest, Organization } from "../organizations/Organization.ts"
import { Organizations } from "../organizations/Organizations.ts"
import type { UsageEvent } from "../usage/UsageLog.ts"

/** A text that is unique across calls and runs. */
export const unique = (prefix: string): string => `${prefix}_${run}${(++count).toString(36)}`

/** One minute later on each call, so that timestamps reflect the order of creation. */
export const nextTimestamp = (): string => new Date(firstTime_ms + 60_000 * ++count).toISOString()

/** An organization with these fields overridden. */
export const newOrganization = (fields: Partial<Organization> = {}): Organization => ({
  id: unique("org"),
  name: "Dangote Parcels",
  granted_level: 3,
  kyb_status: "unverified",
  status: "active",
  created_at: nextTimestamp(),
  ...fields
})

/** A key of an organization with these fields overridden. */
export const newKey = (organization_id: string, fields: Partial<ApiKeyRecord> = {}): ApiKeyRecord => ({
  id: unique("key"),
  organization_id,
  name: "checkout",
  kind: "secret",
  environment: "test",
  scopes: ["search", "lookup"],
  max_level: 3,
  origins: [],
  allowed_ips: [],
  prefix: "svc_test_AbCd",
  created_at: nextTimestamp(),
  ...fields
})

/** An access request with these fields overridden. */
export const newAccessRequest = (organization_id: string, fields: Partial<AccessRequest> = {}): AccessRequest => ({
  id: unique("acr"),
  organization_id,
  level: 4,
  reason: "deliveries to offices",
  status: "pending",
  created_at: nextTimestamp(),
  ...fields
})

/** An event of the audit log with these fields overridden. */
export const newEvent = (fields: Partial<AuditEvent> = {}): AuditEvent => ({
  id: unique("evt"),
  at: nextTimestamp(),
  actor: "operator",
  action: "organization.updated",
  subject: unique("org"),
  details: { granted_level: 2 },
  ...fields
})

/** The usage event of a charge of one credit, with these fields overridden. */
export const newUsageEvent = (organization_id: string, fields: Partial<UsageEvent> = {}): UsageEvent => ({
  organization_id,
  environment: "test",
  key_id: unique("key"),
  operation: "lookup",
  level: null,
  status: 200,
  credits: 1,
  at_ms: Date.parse("2026-01-31T12:00:00.000Z"),
  ...fields
})

/** Stores an organization with these credits, by default none. */
export const storedOrganization = Effect.fnUntraced(function* (
  opening: Partial<Record<Environment, number>> = {},
  fields: Partial<Organization> = {}
) {
  const organization = newOrganization(fields)
  yield* (yield* Organizations).create(organization, { test: 0, live: 0, ...opening })
  return organization
})

/** Stores a key; returns its record and its hash. */
export const storedKey = Effect.fnUntraced(function* (organization_id: string, fields: Partial<ApiKeyRecord> = {}) {
  const record = newKey(organization_id, fields)
  const hash = unique("hash")
  yield* (yield* ApiKeys).create(record, hash)
  return { record, hash }
})

const run = `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`
const firstTime_ms = Date.UTC(2026, 0, 31)
let count = 0
