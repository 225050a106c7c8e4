/**
 * The ports of a store, with the sandbox in front of them. What concerns a reserved key or its organization goes to the
 * sandbox's own store in memory, and its searches to a directory of the reserved units. So nothing of the sandbox is
 * stored, and a public key sees no real unit, bookmark or change.
 */
import type { Accounts } from "@postcode/gateway/accounts/Accounts"
import type { AccountLinks } from "@postcode/gateway/accounts/links/AccountLinks"
import type { ManagementKeys } from "@postcode/gateway/accounts/managementKeys/ManagementKeys"
import type { Passkeys } from "@postcode/gateway/accounts/passkeys/Passkeys"
import type { ConsoleSessions } from "@postcode/gateway/accounts/sessions/ConsoleSessions"
import { AuditLog } from "@postcode/gateway/audit/AuditLog"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import { CurrentDirectory } from "@postcode/gateway/directory/CurrentDirectory"
import { DirectoryChanges } from "@postcode/gateway/directory/changes/DirectoryChanges"
import type { DirectoryImports } from "@postcode/gateway/directory/imports/DirectoryImports"
import { Units } from "@postcode/gateway/directory/Units"
import { Unavailable } from "@postcode/gateway/Errors"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { RateLimiter, type RateSubject, takeInOrder } from "@postcode/gateway/limits/RateLimiter"
import type { Notices } from "@postcode/gateway/notices/Notices"
import type { AccessRequests } from "@postcode/gateway/organizations/AccessRequests"
import type { Organizations } from "@postcode/gateway/organizations/Organizations"
import type { DirectoryPorts, StorePorts } from "@postcode/gateway/Store"
import { Secrets } from "@postcode/gateway/store/Secrets"
import type { Transactions } from "@postcode/gateway/store/Transactions"
import { UsageLog } from "@postcode/gateway/usage/UsageLog"
import type { WebhookQueue } from "@postcode/gateway/webhooks/WebhookQueue"
import type { Webhooks } from "@postcode/gateway/webhooks/Webhooks"
import { OwnBookmarks } from "@postcode/gateway/widget/bookmarks/OwnBookmarks"
import { EndUsers } from "@postcode/gateway/widget/endUsers/EndUsers"
import { Selections } from "@postcode/gateway/widget/selections/Selections"
import { SessionUses } from "@postcode/gateway/widget/sessions/SessionUses"
import { WidgetSettings } from "@postcode/gateway/widget/WidgetSettings"
import { Context, Effect, Redacted } from "effect"
import { reservedChanges, type SandboxOptions, withReservedAttributes, withReservedUnits } from "./SandboxDirectory.ts"
import { allSandboxKeys, isReservedOrganization, sandboxKeys } from "./SandboxKeys.ts"

/**
 * The ports that requests with a reserved key reach: all but those of management. A new port of a store is one of
 * these, and a new method of a port is missing below, until the code here decides what reserved keys get.
 */
export type ReservedPorts = Exclude<
  DirectoryPorts | StorePorts,
  | AccessRequests
  | AccountLinks
  | Accounts
  | ConsoleSessions
  | DirectoryImports
  | ManagementKeys
  | Notices
  | Organizations
  | Passkeys
  | Transactions
  | WebhookQueue
  | Webhooks
>

/** @param sandbox the store of the sandbox */
export const overlayPorts = (
  sandbox: Context.Context<StorePorts>,
  options: SandboxOptions
): Effect.Effect<Context.Context<ReservedPorts>, never, ReservedPorts | Secrets> =>
  Effect.gen(function* () {
    const current = withReservedUnits(yield* CurrentDirectory, options)
    return Context.make(CurrentDirectory, current).pipe(
      Context.add(ApiKeys, keysOf(yield* ApiKeys, Context.get(sandbox, ApiKeys), yield* Secrets)),
      Context.add(RateLimiter, limiterOf(yield* RateLimiter, Context.get(sandbox, RateLimiter))),
      Context.add(Units, withReservedAttributes(yield* Units)),
      Context.add(DirectoryChanges, reservedChanges(yield* DirectoryChanges)),
      Context.merge(yield* accounting(sandbox)),
      Context.merge(yield* widget(sandbox))
    )
  })

/** Keys are found by their hash or id. Management never sees the reserved ones. */
const keysOf = (
  { create, findByHash, findById, get, list, revoke, rotate, takeExpiring, update }: ApiKeys["Service"],
  sandbox: ApiKeys["Service"],
  { hash }: Secrets["Service"]
): ApiKeys["Service"] => {
  const hashes = new Set(allSandboxKeys.map(({ key }) => hash(Redacted.make(key))))
  return {
    create,
    findByHash: (asked, now) => (hashes.has(asked) ? sandbox.findByHash : findByHash)(asked, now),
    // The sessions of one key have expired.
    findById: (id, now) =>
      id === sandboxKeys.expiredSessions.record.id
        ? Effect.succeed(undefined)
        : (keyIds.has(id) ? sandbox.findById : findById)(id, now),
    get,
    list,
    revoke,
    rotate,
    takeExpiring,
    update
  }
}

const keyIds: ReadonlySet<string> = new Set(allSandboxKeys.map(({ record }) => record.id))

/**
 * Limits of addresses are those of the store, as without a key: otherwise the sandbox would double them. They are the
 * only thing that requests with reserved keys change in a store, which keeps them for a minute.
 */
const limiterOf = (limiter: RateLimiter["Service"], sandbox: RateLimiter["Service"]): RateLimiter["Service"] => {
  const take: RateLimiter["Service"]["take"] = (subject, limit, cost) =>
    limitedSubjects.includes(subject) && cost > 0
      ? Effect.succeed({ allowed: false, limit, remaining: 0, reset_s: 30, retry_after_s: 30 })
      : (isReservedSubject(subject) ? sandbox : limiter).take(subject, limit, cost)
  const takeEach = takeInOrder(take)
  return {
    take,
    takeAll: (limits, cost) =>
      limits.some(({ subject }) => isReservedSubject(subject)) ? takeEach(limits, cost) : limiter.takeAll(limits, cost)
  }
}

const limitedSubjects = [sandboxKeys.limited, sandboxKeys.browserLimited].map(({ record }) => `key:${record.id}`)

/** The part after the first colon is the id of a key or an organization, or an address. */
const isReservedSubject = (subject: RateSubject): boolean => {
  const id = subject.split(":", 2)[1] ?? ""
  return keyIds.has(id) || isReservedOrganization(id)
}

/** What is charged is charged in memory. Nobody can read the usage and the audit log of the sandbox. */
const accounting = Effect.fnUntraced(function* (sandbox: Context.Context<StorePorts>) {
  const { charge, correct, days, grant, setThreshold, statement } = yield* CreditLedger
  const reserved = Context.get(sandbox, CreditLedger)
  const { daily, record, traffic } = yield* UsageLog
  const { append, appendAll, list } = yield* AuditLog
  return Context.make(CreditLedger, {
    charge: (asked) => {
      if (unavailableKeys.includes(asked.key_id)) return Effect.fail(unavailable)
      return (isReservedOrganization(asked.organization_id) ? reserved.charge : charge)(asked)
    },
    correct,
    days,
    grant,
    setThreshold,
    statement
  }).pipe(
    Context.add(UsageLog, {
      daily,
      record: (event) => {
        if (!isReservedOrganization(event.organization_id)) record(event)
      },
      traffic
    }),
    Context.add(AuditLog, {
      // The actor of a widget session is its key.
      append: (event) => (keyIds.has(event.actor) ? Effect.void : append(event)),
      appendAll: (events) => appendAll(events.filter(({ actor }) => !keyIds.has(actor))),
      list
    })
  )
})

const unavailableKeys = [sandboxKeys.unavailable, sandboxKeys.browserUnavailable].map(({ record }) => record.id)

const unavailable = new Unavailable({ retry_after_s: 5 })

/** Bookmarks of real end users are shown to real organizations only. Selections of the sandbox are counted nowhere. */
const widget = Effect.fnUntraced(function* (sandbox: Context.Context<StorePorts>) {
  const bookmarks = yield* OwnBookmarks
  const endUsers = yield* EndUsers
  const selections = yield* Selections
  const settings = yield* WidgetSettings
  const uses = yield* SessionUses
  const bookmarksOf = (id: string) => (isReservedOrganization(id) ? Context.get(sandbox, OwnBookmarks) : bookmarks)
  const settingsOf = (id: string) => (isReservedOrganization(id) ? Context.get(sandbox, WidgetSettings) : settings)
  const usesOf = (id: string) => (isReservedOrganization(id) ? Context.get(sandbox, SessionUses) : uses)
  return Context.make(OwnBookmarks, {
    list: (owner) => bookmarksOf(owner.organization_id).list(owner),
    save: (owner, bookmark) => bookmarksOf(owner.organization_id).save(owner, bookmark),
    remove: (owner, postcode) => bookmarksOf(owner.organization_id).remove(owner, postcode),
    removeAll: (id) => bookmarksOf(id).removeAll(id)
  }).pipe(
    Context.add(EndUsers, {
      bookmarks: (hashes, organization_id) =>
        isReservedOrganization(organization_id) ? Effect.succeed([]) : endUsers.bookmarks(hashes, organization_id),
      count: endUsers.count,
      find: endUsers.find,
      get: endUsers.get,
      remove: endUsers.remove,
      save: endUsers.save,
      saveAll: endUsers.saveAll
    }),
    Context.add(Selections, {
      daily: selections.daily,
      forgetSubjects: selections.forgetSubjects,
      list: selections.list,
      record: (selection) =>
        isReservedOrganization(selection.organization_id) ? Effect.void : selections.record(selection)
    }),
    Context.add(WidgetSettings, {
      get: (id) => settingsOf(id).get(id),
      rotateProofKey: (id, key) => settingsOf(id).rotateProofKey(id, key),
      update: (id, patch) => settingsOf(id).update(id, patch)
    }),
    Context.add(SessionUses, {
      take: (session, use, limit) => usesOf(session.organization_id).take(session, use, limit)
    })
  )
})
