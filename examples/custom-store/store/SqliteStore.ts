/**
 * A store of one's own: what is worth money is in one SQLite file, everything else in memory. All that a port changes in
 * one step with another one is on the same side.
 */
import type { Organization } from "@postcode/gateway/organizations/Organization"
import { Organizations } from "@postcode/gateway/organizations/Organizations"
import * as Memory from "@postcode/memory"
import { Effect, Exit, Layer } from "effect"
import { layerAccessRequests } from "./AccessRequests.ts"
import { layerApiKeys } from "./ApiKeys.ts"
import { layerAuditLog } from "./AuditLog.ts"
import { layerCreditLedger } from "./CreditLedger.ts"
import { Database, layerDatabase } from "./Database.ts"
import { layerOrganizations } from "./Organizations.ts"
import { layerTransactions } from "./Transactions.ts"

/** The ports in memory ask the state that they share for organizations: it is told of each, and of each change. */
const layerKnownOrganizations: Layer.Layer<Organizations, never, Database | Memory.MemoryState> = Layer.effect(
  Organizations,
  Effect.gen(function* () {
    const db = yield* Database
    const stored = yield* Organizations
    const state = yield* Memory.MemoryState
    const know = (organization: Organization) => Memory.knowOrganization(state, organization)
    const knowAfterwards = (organization: Organization) => Effect.sync(() => db.afterwards(() => know(organization)))
    const knowAll = db.step(() => {
      for (const { record } of db.iterate("SELECT record FROM organizations")) know(JSON.parse(String(record)))
      return Exit.void
    })
    yield* Effect.orDie(knowAll)
    return {
      ...stored,
      create: (organization, opening) =>
        Effect.tap(stored.create(organization, opening), () => knowAfterwards(organization)),
      update: (id, patch) => Effect.tap(stored.update(id, patch), knowAfterwards),
      changeStatus: (id, change) =>
        Effect.tap(stored.changeStatus(id, change), ({ organization }) => knowAfterwards(organization)),
      submitKyb: (id, submission) => Effect.tap(stored.submitKyb(id, submission), knowAfterwards)
    }
  })
).pipe(Layer.provide(layerOrganizations))

const inSqlite = Layer.mergeAll(
  layerKnownOrganizations,
  layerApiKeys,
  layerCreditLedger,
  layerAccessRequests,
  layerAuditLog,
  layerTransactions
)

const inMemory = Layer.mergeAll(
  Memory.layerUsageLog,
  Memory.layerEndUsers,
  Memory.layerSelections,
  Memory.layerSessionUses,
  Memory.layerOwnBookmarks,
  Memory.layerWidgetSettings,
  Memory.layerAccounts,
  Memory.layerConsoleSessions,
  Memory.layerManagementKeys,
  Memory.layerNotices,
  Memory.layerPasskeys,
  Memory.layerAccountLinks,
  Memory.layerWebhooks,
  Memory.layerWebhookQueue,
  Memory.layerRateLimiter()
)

/** Every port that stores something, over an open database. */
export const layerStore = Layer.mergeAll(inSqlite, inMemory)

/** The same over a file; over `:memory:` for a store that ends with the process. */
export const layerSqliteStore = (file: string) =>
  Layer.provide(layerStore, Layer.mergeAll(layerDatabase(file), Memory.layerMemoryState))
