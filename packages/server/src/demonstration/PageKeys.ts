/** Publishable keys of the demonstration page: a working one, and one for each error. */

import type { FailingKeys } from "@postcode/demo/page"
import { type KeyRequest, manageKeys } from "@postcode/gateway/keys/manageKeys"
import type { Manager } from "@postcode/gateway/ManagementAccess"
import { manageOrganizations } from "@postcode/gateway/organizations/manageOrganizations"
import { Secrets } from "@postcode/gateway/store/Secrets"
import { Effect, Redacted } from "effect"

/** The keys of the page. */
export interface PageKeys {
  readonly working: { readonly id: string; readonly secret: string }
  readonly failing: FailingKeys
  /** The hash of the key for which the store is unavailable. */
  readonly unavailableHash: string
}

/**
 * @param organization_id the organization of all keys except the one without credits
 * @param origins the page's origins
 */
export const makePageKeys = (organization_id: string, origins: ReadonlyArray<string>, manager: Manager) =>
  Effect.gen(function* () {
    const keys = yield* manageKeys
    const organizations = yield* manageOrganizations
    const secrets = yield* Secrets
    const create = (name: string, request: Partial<KeyRequest> = {}, owner = organization_id) =>
      keys.create(owner, { ...forPages, origins, name: `demonstration page, ${name}`, ...request }, manager)
    const secretOf = (name: string, request: Partial<KeyRequest>, owner?: string) =>
      Effect.map(create(name, request, owner), ({ secret }) => Redacted.value(secret))

    // Its map shows units as points.
    const working = yield* create("works", { max_level: 5 })
    const revoked = yield* create("revoked")
    yield* keys.revoke(revoked.record.id, manager)
    const unavailable = yield* create("store unavailable")
    const poor = yield* organizations.create("Demonstration without credits Ltd", manager)
    yield* organizations.update(poor.id, { granted_level: 2, kyb_status: "verified" }, manager)
    const keysOfPage: PageKeys = {
      working: { id: working.record.id, secret: Redacted.value(working.secret) },
      failing: {
        revoked: Redacted.value(revoked.secret),
        unpaid: yield* secretOf("no credits", { environment: "live", max_level: 1 }, poor.id),
        elsewhere: yield* secretOf("of another origin", { origins: ["https://shop.example"] }),
        limited: yield* secretOf("once a minute", { rate_limit_per_minute: 1 }),
        unavailable: Redacted.value(unavailable.secret)
      },
      unavailableHash: secrets.hash(unavailable.secret)
    }
    return keysOfPage
  })

const forPages = {
  kind: "publishable",
  environment: "test",
  scopes: ["search"],
  max_level: 2
} as const
