/** The organization of the demonstration: verified, granted all levels, with credits and a key of each kind. */

import type { Environment } from "@postcode/core/Credits"
import { grantCredits } from "@postcode/gateway/credits/grantCredits"
import type { KeyKind } from "@postcode/gateway/keys/ApiKey"
import { type KeyRequest, manageKeys } from "@postcode/gateway/keys/manageKeys"
import { type Manager, tokenManager } from "@postcode/gateway/ManagementAccess"
import { manageOrganizations } from "@postcode/gateway/organizations/manageOrganizations"
import { Effect, Redacted } from "effect"

/** A key with its secret. */
export interface DemoKey {
  readonly kind: KeyKind
  readonly environment: Environment
  readonly secret: string
  /** The web origins of a publishable key. */
  readonly origins: ReadonlyArray<string>
}

/** The organization on the first screen. */
export interface DemoOrganization {
  readonly id: string
  readonly name: string
  readonly credits: Readonly<Record<Environment, number>>
  readonly keys: ReadonlyArray<DemoKey>
}

/** An operator whose audit events name the demonstration as their actor. */
export const demoManager: Manager = { ...tokenManager, actor: "demonstration" }

const name = "Demonstration Ltd"
const grantedCredits = 10_000

/** Common origins of local development servers. */
const localOrigins = ["localhost", "127.0.0.1"].flatMap((host) =>
  [3000, 5173, 8080].map((port) => `http://${host}:${port}`)
)

/** Creates the organization in an empty store. */
export const makeDemoOrganization = Effect.gen(function* () {
  const organizations = yield* manageOrganizations
  const keys = yield* manageKeys
  const grant = yield* grantCredits
  const { id } = yield* organizations.create(name, demoManager)
  const review_note = "Created for the demonstration."
  yield* organizations.update(id, { granted_level: 5, kyb_status: "verified", review_note }, demoManager)

  const credit = (environment: Environment) =>
    Effect.map(
      grant(
        { organization_id: id, environment, amount: grantedCredits, reference: `demonstration-${environment}` },
        demoManager
      ),
      ({ balance }) => balance
    )
  const key = (request: Pick<KeyRequest, "environment" | "kind" | "max_level" | "name" | "origins" | "scopes">) =>
    Effect.map(
      keys.create(id, request, demoManager),
      ({ secret }): DemoKey => ({
        kind: request.kind,
        environment: request.environment,
        secret: Redacted.value(secret),
        origins: request.origins
      })
    )
  const secret = { kind: "secret", scopes: ["search", "lookup"], max_level: 5, origins: [] } as const
  const organization: DemoOrganization = {
    id,
    name,
    credits: { test: yield* credit("test"), live: yield* credit("live") },
    keys: [
      yield* key({ ...secret, name: "demonstration, test", environment: "test" }),
      yield* key({ ...secret, name: "demonstration, live", environment: "live" }),
      yield* key({
        name: "demonstration, browser",
        kind: "publishable",
        environment: "test",
        scopes: ["search", "lookup"],
        // Addresses in widget sessions need level 2.
        max_level: 2,
        origins: localOrigins
      })
    ]
  }
  return organization
})
