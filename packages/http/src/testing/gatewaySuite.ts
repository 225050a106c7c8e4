/**
 * The conformance suite of the gateway: the wire contract, rule by rule, over HTTP. A store is right when this passes
 * on it.
 */
import { describe } from "vitest"
import { adapters } from "./suites/adapters.ts"
import { assembly } from "./suites/assembly.ts"
import { auditedCalls } from "./suites/auditedCalls.ts"
import { autocomplete } from "./suites/autocomplete.ts"
import { badKeys } from "./suites/badKeys.ts"
import { batch } from "./suites/batch.ts"
import { bodies } from "./suites/bodies.ts"
import { charges } from "./suites/charges.ts"
import { checkOrder } from "./suites/checkOrder.ts"
import { consoleSessions } from "./suites/consoleSessions.ts"
import { conventions } from "./suites/conventions.ts"
import { crossOrigin } from "./suites/crossOrigin.ts"
import { dataVersion } from "./suites/dataVersion.ts"
import { degraded } from "./suites/degraded.ts"
import { directory } from "./suites/directory.ts"
import { echoes } from "./suites/echoes.ts"
import { endUsers } from "./suites/endUsers.ts"
import { failures } from "./suites/failures.ts"
import { hostileRequests } from "./suites/hostileRequests.ts"
import { keyLifetimes } from "./suites/keyLifetimes.ts"
import { keysAndCredits } from "./suites/keysAndCredits.ts"
import { lookup } from "./suites/lookup.ts"
import { management } from "./suites/management.ts"
import { managementTable } from "./suites/managementAccess.ts"
import { organizations } from "./suites/organizations.ts"
import { overload } from "./suites/overload.ts"
import { parameters } from "./suites/parameters.ts"
import { passkeys } from "./suites/passkeys.ts"
import { paths } from "./suites/paths.ts"
import { rateLimits } from "./suites/rateLimits.ts"
import { rawRequests } from "./suites/rawRequests.ts"
import { reference } from "./suites/reference.ts"
import { reverse } from "./suites/reverse.ts"
import { reviews } from "./suites/reviews.ts"
import { service } from "./suites/service.ts"
import { slowRequests } from "./suites/slowRequests.ts"
import { stopping } from "./suites/stopping.ts"
import { usage } from "./suites/usage.ts"
import { verification } from "./suites/verification.ts"
import { webhooks } from "./suites/webhooks.ts"
import { widgetBookmarks } from "./suites/widgetBookmarks.ts"
import { widgetHosts } from "./suites/widgetHosts.ts"
import { widgetSession } from "./suites/widgetSession.ts"
import { widgetTokens } from "./suites/widgetTokens.ts"
import { type MakePorts, useWorld } from "./World.ts"

/**
 * Registers the suite's tests for a store. They share one store and tell their own records from others', so it need not
 * be empty.
 *
 * ```ts
 * gatewaySuite("in memory", ({ attributesOf, directory }) =>
 *   Layer.merge(MemoryStore.layer, layerDirectory(directory, (_, postcode) => attributesOf(postcode)))
 * )
 * ```
 *
 * @param makePorts the store's ports, given the directory and attributes that they have to hold
 */
export const gatewaySuite = (name: string, makePorts: MakePorts): void => {
  describe(`the gateway, ${name}`, () => {
    const world = useWorld(makePorts)
    for (const suite of suites) suite(world)
  })
}

const suites = [
  conventions,
  echoes,
  badKeys,
  checkOrder,
  bodies,
  parameters,
  paths,
  rateLimits,
  crossOrigin,
  failures,
  degraded,
  rawRequests,
  hostileRequests,
  slowRequests,
  lookup,
  verification,
  charges,
  batch,
  autocomplete,
  reverse,
  assembly,
  reference,
  widgetSession,
  widgetTokens,
  widgetBookmarks,
  widgetHosts,
  dataVersion,
  management,
  managementTable,
  auditedCalls,
  consoleSessions,
  passkeys,
  organizations,
  overload,
  reviews,
  directory,
  endUsers,
  keysAndCredits,
  keyLifetimes,
  webhooks,
  usage,
  service,
  stopping,
  adapters
]
