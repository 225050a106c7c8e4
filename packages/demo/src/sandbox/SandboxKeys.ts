/** The reserved keys. They are public, and every service with a sandbox has the same ones. */
import { type ApiKeyRecord, composeKey, randomLength, visiblePrefix } from "@postcode/gateway/keys/ApiKey"
import type { Organization } from "@postcode/gateway/organizations/Organization"
import { sandboxOrganizationIds } from "@postcode/gateway/suspension/closeStoredSandbox"

/** A reserved key. */
export interface SandboxKey {
  readonly key: string
  /** What it is for, as a sentence. */
  readonly forces: string
  readonly record: ApiKeyRecord
  readonly organization: SandboxOrganization
}

/** The organizations of the reserved keys, by what they lack. */
export type SandboxOrganization = keyof typeof sandboxOrganizationIds

/** When the sandbox was made, according to its records. */
const created_at = "2026-01-01T00:00:00.000Z"

const organization = (id: string, name: string, fields: Partial<Organization> = {}): Organization => ({
  id,
  name: `Sandbox, ${name}`,
  granted_level: 5,
  kyb_status: "verified",
  review_note: "Made by the sandbox.",
  status: "active",
  created_at,
  ...fields
})

/** The organizations as they are created; `suspended` is suspended afterwards. */
export const sandboxOrganizations: Readonly<Record<SandboxOrganization, Organization>> = {
  complete: organization(sandboxOrganizationIds.complete, "complete"),
  noCredits: organization(sandboxOrganizationIds.noCredits, "no credits"),
  notVerified: organization(sandboxOrganizationIds.notVerified, "not verified", { kyb_status: "unverified" }),
  suspended: organization(sandboxOrganizationIds.suspended, "suspended")
}

const organizationIds: ReadonlySet<string> = new Set(Object.values(sandboxOrganizationIds))

/** Whether an organization is one of the sandbox. */
export const isReservedOrganization = (id: string | undefined): boolean => id !== undefined && organizationIds.has(id)

/** The default ports of development servers: those of Node, Vite, Angular, Astro, Flask, Live Server, Django and others. */
const localPorts = [3000, 3001, 4000, 4173, 4200, 4321, 5000, 5173, 5174, 5500, 8000, 8080, 8081, 8888]

/** Web origins of development servers. */
const localOrigins = ["localhost", "127.0.0.1"].flatMap((host) => localPorts.map((port) => `http://${host}:${port}`))

/** @param name 1 to 25 letters and digits, the visible part of the key */
const make = (
  name: string,
  forces: string,
  fields: Partial<ApiKeyRecord> = {},
  of: SandboxOrganization = "complete"
): SandboxKey => {
  const { environment = "test", kind = "secret" } = fields
  const key = composeKey(kind, environment, `Sandbox${name}`.padEnd(randomLength, "0"))
  const record: ApiKeyRecord = {
    id: `key_sandbox_${name}`,
    organization_id: sandboxOrganizations[of].id,
    name: `sandbox, ${name}`,
    kind,
    environment,
    scopes: ["search", "lookup"],
    max_level: 5,
    origins: [],
    allowed_ips: [],
    prefix: visiblePrefix(key),
    created_at,
    ...fields
  }
  return { key, forces, record, organization: of }
}

const browser = { kind: "publishable", max_level: 2, origins: localOrigins, daily_credit_limit: 1_000_000 } as const

/** The reserved keys by name. */
export const sandboxKeys = {
  level1: make("Level1", "Lookups up to level 1; 403 `level_not_granted` above.", { max_level: 1 }),
  level2: make("Level2", "Lookups up to level 2.", { max_level: 2 }),
  level3: make("Level3", "Lookups up to level 3.", { max_level: 3 }),
  level4: make("Level4", "Lookups up to level 4.", { max_level: 4 }),
  level5: make("Level5", "Lookups at every level."),
  browser: make("Browser", "A publishable key; 403 `key_type_not_allowed` for batches.", browser),
  revoked: make("Revoked", "401 `invalid_api_key`, as after a revocation.", { revoked_at: created_at }),
  expired: make("Expired", "401 `invalid_api_key`, as after the key's expiry.", { expires_at: created_at }),
  expiredSessions: make(
    "ExpiredSessions",
    "Starts widget sessions whose tokens are 401 `invalid_token`, as after their expiry.",
    browser
  ),
  browserRevoked: make("BrowserRevoked", "A publishable key; 401 `invalid_api_key`, as after a revocation.", {
    ...browser,
    revoked_at: created_at
  }),
  browserNoCredits: make(
    "BrowserNoCredits",
    "A publishable key; 402 `insufficient_credits` for widget sessions.",
    browser,
    "noCredits"
  ),
  browserSuspended: make("BrowserSuspended", "A publishable key; 403 `organization_suspended`.", browser, "suspended"),
  browserLimited: make(
    "BrowserLimited",
    "A publishable key; 429 `rate_limit_exceeded` with `Retry-After: 30`.",
    browser
  ),
  browserUnavailable: make(
    "BrowserUnavailable",
    "A publishable key; 503 `service_unavailable` with `Retry-After: 5` for widget sessions.",
    browser
  ),
  noCredits: make("NoCredits", "402 `insufficient_credits` for what costs credits.", {}, "noCredits"),
  noScope: make("NoScope", "403 `insufficient_scope` for lookups from level 2 on.", { scopes: ["search"] }),
  otherOrigin: make("OtherOrigin", "403 `origin_not_allowed` from web pages.", {
    ...browser,
    origins: ["https://sandbox.example"]
  }),
  otherAddress: make("OtherAddress", "403 `address_not_allowed` from every address but 192.0.2.1.", {
    allowed_ips: ["192.0.2.1"]
  }),
  notVerified: make(
    "NotVerified",
    "403 `kyb_required` for what needs a key: a live key of an organization that is not verified.",
    { environment: "live" },
    "notVerified"
  ),
  suspended: make("Suspended", "403 `organization_suspended`.", {}, "suspended"),
  limited: make("Limited", "429 `rate_limit_exceeded` with `Retry-After: 30`."),
  unavailable: make("Unavailable", "503 `service_unavailable` with `Retry-After: 5` for what costs credits.")
} as const satisfies Record<string, SandboxKey>

/** The name of a reserved key of the sandbox. */
export type SandboxKeyName = keyof typeof sandboxKeys

export const allSandboxKeys: ReadonlyArray<SandboxKey> = Object.values(sandboxKeys)
