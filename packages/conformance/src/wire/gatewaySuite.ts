/**
 * The conformance suite of the gateway: the wire contract, rule by rule, over HTTP. A store conforms if the suite
 * passes.
 */
import { describe } from "vitest"
import { type MakePorts, useWorld } from "../world/World.ts"
import { consoleSessions } from "./accounts/consoleSessions.ts"
import { deviceLogins } from "./accounts/deviceLogins.ts"
import { lostPermissions } from "./accounts/lostPermissions.ts"
import { mail, withMail } from "./accounts/mail.ts"
import { managementKeys } from "./accounts/managementKeys.ts"
import { memberships } from "./accounts/memberships.ts"
import { passkeys } from "./accounts/passkeys.ts"
import { signUps } from "./accounts/signUps.ts"
import { charges } from "./credits/charges.ts"
import { creditCorrections } from "./credits/creditCorrections.ts"
import { keysAndCredits } from "./credits/keysAndCredits.ts"
import { directoryChanges } from "./directory/changes.ts"
import { dataVersion } from "./directory/dataVersion.ts"
import { directory } from "./directory/directory.ts"
import { directoryImports } from "./directory/imports.ts"
import { keyChanges } from "./keys/keyChanges.ts"
import { keyLifetimes } from "./keys/keyLifetimes.ts"
import { batch } from "./lookup/batch.ts"
import { lookup } from "./lookup/lookup.ts"
import { management } from "./organizations/management.ts"
import { managementTable } from "./organizations/managementAccess.ts"
import { organizations } from "./organizations/organizations.ts"
import { reviews } from "./organizations/reviews.ts"
import { suspension } from "./organizations/suspension.ts"
import { verification } from "./organizations/verification.ts"
import { assembly } from "./postcode/assembly.ts"
import { corrections } from "./postcode/corrections.ts"
import { adapters } from "./protocol/adapters.ts"
import { auditedCalls } from "./protocol/auditedCalls.ts"
import { badKeys } from "./protocol/badKeys.ts"
import { bodies } from "./protocol/bodies.ts"
import { checkOrder } from "./protocol/checkOrder.ts"
import { conventions } from "./protocol/conventions.ts"
import { crossOrigin } from "./protocol/crossOrigin.ts"
import { echoes, echoesOfHeaders } from "./protocol/echoes.ts"
import { failures } from "./protocol/failures.ts"
import { hostileRequests } from "./protocol/hostileRequests.ts"
import { parameters } from "./protocol/parameters.ts"
import { paths } from "./protocol/paths.ts"
import { publishedClient } from "./protocol/publishedClient.ts"
import { rawRequests } from "./protocol/rawRequests.ts"
import { unknownFields } from "./protocol/unknownFields.ts"
import { visibleTexts } from "./protocol/visibleTexts.ts"
import { address } from "./search/address.ts"
import { autocomplete } from "./search/autocomplete.ts"
import { batches } from "./search/batches.ts"
import { reference } from "./search/reference.ts"
import { reverse } from "./search/reverse.ts"
import { degraded } from "./server/degraded.ts"
import { overload } from "./server/overload.ts"
import { rateLimits } from "./server/rateLimits.ts"
import { service } from "./server/service.ts"
import { slowRequests } from "./server/slowRequests.ts"
import { stopping } from "./server/stopping.ts"
import { usage } from "./usage.ts"
import { webhooks } from "./webhooks.ts"
import { endUsers } from "./widget/endUsers.ts"
import { ownBookmarks } from "./widget/ownBookmarks.ts"
import { selections } from "./widget/selections.ts"
import { widgetAddress } from "./widget/widgetAddress.ts"
import { widgetBookmarks } from "./widget/widgetBookmarks.ts"
import { widgetHosts } from "./widget/widgetHosts.ts"
import { widgetSession } from "./widget/widgetSession.ts"
import { widgetTokens } from "./widget/widgetTokens.ts"
import { widgetUnits } from "./widget/widgetUnits.ts"

/**
 * Registers the suite's tests for a store. The tests share one store and ignore records of others, so it need not be
 * empty.
 *
 * ```ts
 * gatewaySuite("in memory", ({ attributesOf, directory, warnings }) =>
 *   Layer.merge(MemoryStore.layer, layerDirectory(directory, (_, postcode) => attributesOf(postcode), { warnings }))
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
  if (parts.includes("management")) {
    describe(`the gateway, ${name}, with mail`, () => mail(useWorld(withMail(makePorts))))
  }
  // It changes the directory, which others take as it is.
  if (parts.includes("management")) {
    describe(`the gateway, ${name}, with a directory that is imported`, () => directoryImports(useWorld(makePorts)))
  }
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
    deviceLogins,
    lostPermissions,
    memberships,
    signUps,
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
