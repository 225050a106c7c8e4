/**
 * The conformance suite of the gateway: the wire contract, rule by rule, over HTTP. A store conforms if the suite
 * passes.
 */
import { describe } from "vitest"
import { consoleSessions } from "./suites/accounts/consoleSessions.ts"
import { lostPermissions } from "./suites/accounts/lostPermissions.ts"
import { managementKeys } from "./suites/accounts/managementKeys.ts"
import { passkeys } from "./suites/accounts/passkeys.ts"
import { charges } from "./suites/credits/charges.ts"
import { creditCorrections } from "./suites/credits/creditCorrections.ts"
import { keysAndCredits } from "./suites/credits/keysAndCredits.ts"
import { directoryChanges } from "./suites/directory/changes.ts"
import { dataVersion } from "./suites/directory/dataVersion.ts"
import { directory } from "./suites/directory/directory.ts"
import { keyChanges } from "./suites/keys/keyChanges.ts"
import { keyLifetimes } from "./suites/keys/keyLifetimes.ts"
import { batch } from "./suites/lookup/batch.ts"
import { lookup } from "./suites/lookup/lookup.ts"
import { management } from "./suites/organizations/management.ts"
import { managementTable } from "./suites/organizations/managementAccess.ts"
import { organizations } from "./suites/organizations/organizations.ts"
import { reviews } from "./suites/organizations/reviews.ts"
import { suspension } from "./suites/organizations/suspension.ts"
import { verification } from "./suites/organizations/verification.ts"
import { assembly } from "./suites/postcode/assembly.ts"
import { corrections } from "./suites/postcode/corrections.ts"
import { address } from "./suites/search/address.ts"
import { autocomplete } from "./suites/search/autocomplete.ts"
import { batches } from "./suites/search/batches.ts"
import { reference } from "./suites/search/reference.ts"
import { reverse } from "./suites/search/reverse.ts"
import { degraded } from "./suites/server/degraded.ts"
import { overload } from "./suites/server/overload.ts"
import { rateLimits } from "./suites/server/rateLimits.ts"
import { service } from "./suites/server/service.ts"
import { slowRequests } from "./suites/server/slowRequests.ts"
import { stopping } from "./suites/server/stopping.ts"
import { usage } from "./suites/usage/usage.ts"
import { webhooks } from "./suites/webhooks/webhooks.ts"
import { endUsers } from "./suites/widget/endUsers.ts"
import { ownBookmarks } from "./suites/widget/ownBookmarks.ts"
import { selections } from "./suites/widget/selections.ts"
import { widgetAddress } from "./suites/widget/widgetAddress.ts"
import { widgetBookmarks } from "./suites/widget/widgetBookmarks.ts"
import { widgetHosts } from "./suites/widget/widgetHosts.ts"
import { widgetSession } from "./suites/widget/widgetSession.ts"
import { widgetTokens } from "./suites/widget/widgetTokens.ts"
import { widgetUnits } from "./suites/widget/widgetUnits.ts"
import { adapters } from "./suites/wire/adapters.ts"
import { auditedCalls } from "./suites/wire/auditedCalls.ts"
import { badKeys } from "./suites/wire/badKeys.ts"
import { bodies } from "./suites/wire/bodies.ts"
import { checkOrder } from "./suites/wire/checkOrder.ts"
import { conventions } from "./suites/wire/conventions.ts"
import { crossOrigin } from "./suites/wire/crossOrigin.ts"
import { echoes, echoesOfHeaders } from "./suites/wire/echoes.ts"
import { failures } from "./suites/wire/failures.ts"
import { hostileRequests } from "./suites/wire/hostileRequests.ts"
import { parameters } from "./suites/wire/parameters.ts"
import { paths } from "./suites/wire/paths.ts"
import { publishedClient } from "./suites/wire/publishedClient.ts"
import { rawRequests } from "./suites/wire/rawRequests.ts"
import { unknownFields } from "./suites/wire/unknownFields.ts"
import { visibleTexts } from "./suites/wire/visibleTexts.ts"
import { type MakePorts, useWorld } from "./world/World.ts"

/**
 * Registers the suite's tests for a store. The tests share one store and ignore records of others, so it need not be
 * empty.
 *
 * ```ts
 * gatewaySuite("in memory", ({ attributesOf, directory }) =>
 *   Layer.merge(MemoryStore.layer, layerDirectory(directory, (_, postcode) => attributesOf(postcode)))
 * )
 * ```
 *
 * @param makePorts the store's ports, given their directory and attributes
 * @param parts all by default; test files that run in parallel can divide them
 */
export const gatewaySuite = (
  name: string,
  makePorts: MakePorts,
  parts: ReadonlyArray<GatewaySuitePart> = [...aboveTheStore, "server", "lookup", "management"]
): void => {
  describe(`the gateway, ${name}`, () => {
    const world = useWorld(makePorts)
    for (const part of parts) for (const suite of suites[part]) suite(world)
  })
  // It changes the directory, which others take as it is.
  if (parts.includes("lookup")) {
    describe(`the gateway, ${name}, with a directory that changes`, () => directoryChanges(useWorld(makePorts)))
  }
}

/** A part of the suite of the gateway, for runs of that part alone. */
export type GatewaySuitePart = keyof typeof suites

/** Parts whose rules are decided before the store is asked, or without it. */
export const aboveTheStore = ["headers", "requests", "search", "access"] as const

const suites = {
  headers: [echoesOfHeaders],
  requests: [
    conventions,
    echoes,
    bodies,
    unknownFields,
    visibleTexts,
    parameters,
    paths,
    crossOrigin,
    rawRequests,
    hostileRequests,
    adapters,
    publishedClient,
    widgetHosts,
    slowRequests,
    overload,
    service,
    stopping
  ],
  search: [autocomplete, reverse, address, assembly, corrections, reference],
  access: [management, managementTable],
  server: [badKeys, checkOrder, rateLimits, failures, degraded, auditedCalls],
  lookup: [
    lookup,
    suspension,
    verification,
    charges,
    batch,
    batches,
    widgetSession,
    widgetTokens,
    widgetBookmarks,
    widgetAddress,
    widgetUnits,
    ownBookmarks,
    dataVersion
  ],
  management: [
    consoleSessions,
    managementKeys,
    lostPermissions,
    passkeys,
    organizations,
    reviews,
    directory,
    endUsers,
    keysAndCredits,
    creditCorrections,
    keyChanges,
    keyLifetimes,
    webhooks,
    usage,
    selections
  ]
}
