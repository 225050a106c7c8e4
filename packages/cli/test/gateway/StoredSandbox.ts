/** What a start with the sandbox stored before the reserved keys were kept in the process. */

import { sandboxKeys } from "@postcode/demo/sandbox"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import type { Organization } from "@postcode/gateway/organizations/Organization"
import { Organizations } from "@postcode/gateway/organizations/Organizations"
import { Secrets } from "@postcode/gateway/store/Secrets"
import { Effect } from "effect"

const created_at = "2026-01-01T00:00:00.000Z"

const organizations: ReadonlyArray<Organization> = ["complete", "no_credits", "not_verified", "suspended"].map(
  (name) => ({
    id: `org_sandbox_${name}`,
    name: `Sandbox, ${name}`,
    granted_level: 5,
    kyb_status: name === "not_verified" ? "unverified" : "verified",
    review_note: "Made by the sandbox.",
    status: "active",
    created_at
  })
)

/** Stores the organizations with a billion credits, and every reserved key. */
export const storeSandbox: Effect.Effect<void, never, ApiKeys | Organizations | Secrets> = Effect.gen(function* () {
  const { changeStatus, create } = yield* Organizations
  const keys = yield* ApiKeys
  const { hashSent } = yield* Secrets
  for (const organization of organizations) {
    yield* create(organization, { test: organization.id === "org_sandbox_no_credits" ? 0 : 1_000_000_000, live: 0 })
  }
  for (const { key, record } of Object.values(sandboxKeys)) {
    const { revoked_at, ...stored } = record
    yield* keys.create(stored, hashSent(key))
    if (revoked_at !== undefined) yield* keys.revoke(record.id, revoked_at)
  }
  const status_reason = "Suspended by the sandbox."
  yield* changeStatus("org_sandbox_suspended", { status: "suspended", status_reason, status_changed_at: created_at })
}).pipe(Effect.orDie)
