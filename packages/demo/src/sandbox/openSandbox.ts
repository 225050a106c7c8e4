/** Adds the sandbox to the ports of a store: reserved keys and postcodes, which live in the process only. */

import { creditLimits } from "@postcode/gateway/InputLimits"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { Organizations } from "@postcode/gateway/organizations/Organizations"
import type { StorePorts } from "@postcode/gateway/Store"
import { Secrets } from "@postcode/gateway/store/Secrets"
import { MemoryStore } from "@postcode/memory"
import { type Context, Effect, Layer, type Scope } from "effect"
import { overlayPorts, type ReservedPorts } from "./overlayPorts.ts"
import type { SandboxOptions } from "./SandboxDirectory.ts"
import { allSandboxKeys, sandboxOrganizations } from "./SandboxKeys.ts"

/** Returns ports that answer the reserved keys from memory. Everything else goes to the store. */
export const openSandbox = (
  options: SandboxOptions = {}
): Effect.Effect<Context.Context<ReservedPorts>, { readonly message: string }, ReservedPorts | Scope.Scope | Secrets> =>
  Effect.suspend(() => Effect.flatMap(reservedStore, (store) => overlayPorts(store, options)))

/** A store in memory with the organizations and keys of the sandbox. */
const reservedStore = Effect.gen(function* () {
  // Without `fresh` it would be the state of a store in memory that is opened beside it.
  const ports: Context.Context<StorePorts> = yield* Layer.build(Layer.fresh(MemoryStore.layer))
  yield* Effect.provide(addSandbox, ports)
  return ports
})

const addSandbox = Effect.gen(function* () {
  const organizations = yield* Organizations
  const keys = yield* ApiKeys
  const { hashSent } = yield* Secrets
  for (const [name, organization] of Object.entries(sandboxOrganizations)) {
    yield* organizations.create(organization, { test: name === "noCredits" ? 0 : creditLimits.grant, live: 0 })
  }
  for (const { key, record } of allSandboxKeys) {
    const { revoked_at, ...stored } = record
    yield* keys.create(stored, hashSent(key))
    if (revoked_at !== undefined) yield* keys.revoke(record.id, revoked_at)
  }
  const { created_at: status_changed_at, id } = sandboxOrganizations.suspended
  yield* organizations.changeStatus(id, {
    status: "suspended",
    status_reason: "Suspended by the sandbox.",
    status_changed_at
  })
})
