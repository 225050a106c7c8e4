/**
 * The ports of a store, with the sandbox in front of them. What concerns a reserved key or its organization goes to the
 * sandbox's own store in memory, and its searches to a directory of the reserved units. So nothing of the sandbox is
 * stored, and a public key sees no real unit, bookmark or change.
 */
import { AuditLog } from "@postcode/gateway/audit/AuditLog"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import { CurrentDirectory } from "@postcode/gateway/directory/CurrentDirectory"
import { DirectoryChanges } from "@postcode/gateway/directory/changes/DirectoryChanges"
import { Units } from "@postcode/gateway/directory/Units"
import { Unavailable } from "@postcode/gateway/Errors"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { RateLimiter, type RateSubject } from "@postcode/gateway/limits/RateLimiter"
import type { StorePorts } from "@postcode/gateway/Store"
import { Secrets } from "@postcode/gateway/store/Secrets"
import { UsageLog } from "@postcode/gateway/usage/UsageLog"
import { OwnBookmarks } from "@postcode/gateway/widget/bookmarks/OwnBookmarks"
import { EndUsers } from "@postcode/gateway/widget/endUsers/EndUsers"
import { Selections } from "@postcode/gateway/widget/selections/Selections"
import { SessionUses } from "@postcode/gateway/widget/sessions/SessionUses"
import { WidgetSettings } from "@postcode/gateway/widget/WidgetSettings"
import { Context, Effect, Redacted } from "effect"
import { reservedChanges, withReservedAttributes, withReservedUnits } from "./SandboxDirectory.ts"
import { allSandboxKeys, isReservedOrganization, sandboxKeys } from "./SandboxKeys.ts"

export type ReservedPorts =
  | ApiKeys
  | AuditLog
  | CreditLedger
  | CurrentDirectory
  | DirectoryChanges
  | EndUsers
  | OwnBookmarks
  | RateLimiter
  | Selections
  | SessionUses
  | Units
  | UsageLog
  | WidgetSettings

/** @param sandbox the store of the sandbox */
export const overlayPorts = (
  sandbox: Context.Context<StorePorts>
): Effect.Effect<Context.Context<ReservedPorts>, never, ReservedPorts | Secrets> =>
  Effect.gen(function* () {
    const current = withReservedUnits(yield* CurrentDirectory)
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
  keys: ApiKeys["Service"],
  sandbox: ApiKeys["Service"],
  { hash }: Secrets["Service"]
): ApiKeys["Service"] => {
  const hashes = new Set(allSandboxKeys.map(({ key }) => hash(Redacted.make(key))))
  const unavailableHashes = [sandboxKeys.unavailable, sandboxKeys.browserUnavailable].map(({ key }) =>
    hash(Redacted.make(key))
  )
  return {
    ...keys,
    findByHash: (asked, now) =>
      unavailableHashes.includes(asked)
        ? Effect.fail(unavailable)
        : (hashes.has(asked) ? sandbox : keys).findByHash(asked, now),
    // The sessions of one key have expired.
    findById: (id, now) =>
      id === sandboxKeys.expiredSessions.record.id
        ? Effect.succeed(undefined)
        : (keyIds.has(id) ? sandbox : keys).findById(id, now)
  }
}

const keyIds: ReadonlySet<string> = new Set(allSandboxKeys.map(({ record }) => record.id))

const unavailable = new Unavailable({ retry_after_s: 5 })

const limiterOf = (limiter: RateLimiter["Service"], sandbox: RateLimiter["Service"]): RateLimiter["Service"] => ({
  take: (subject, limit, cost) =>
    limitedSubjects.includes(subject) && cost > 0
      ? Effect.succeed({ allowed: false, limit, remaining: 0, reset_s: 30, retry_after_s: 30 })
      : (isReservedSubject(subject) ? sandbox : limiter).take(subject, limit, cost)
})

const limitedSubjects = [sandboxKeys.limited, sandboxKeys.browserLimited].map(({ record }) => `key:${record.id}`)

/** The part after the first colon is the id of a key or an organization, or an address. */
const isReservedSubject = (subject: RateSubject): boolean => {
  const id = subject.split(":", 2)[1] ?? ""
  return keyIds.has(id) || isReservedOrganization(id)
}

/** What is charged is charged in memory. Nobody can read the usage and the audit log of the sandbox. */
const accounting = Effect.fnUntraced(function* (sandbox: Context.Context<StorePorts>) {
  const ledger = yield* CreditLedger
  const reserved = Context.get(sandbox, CreditLedger)
  const usage = yield* UsageLog
  const audit = yield* AuditLog
  return Context.make(CreditLedger, {
    ...ledger,
    charge: (charge) => (isReservedOrganization(charge.organization_id) ? reserved : ledger).charge(charge)
  }).pipe(
    Context.add(UsageLog, {
      ...usage,
      record: (event) => {
        if (!isReservedOrganization(event.organization_id)) usage.record(event)
      }
    }),
    Context.add(AuditLog, {
      ...audit,
      // The actor of a widget session is its key.
      append: (event) => (keyIds.has(event.actor) ? Effect.void : audit.append(event)),
      appendAll: (events) => audit.appendAll(events.filter(({ actor }) => !keyIds.has(actor)))
    })
  )
})

/** Bookmarks of real end users are shown to real organizations only. Selections of the sandbox are counted nowhere. */
const widget = Effect.fnUntraced(function* (sandbox: Context.Context<StorePorts>) {
  const bookmarks = yield* OwnBookmarks
  const endUsers = yield* EndUsers
  const selections = yield* Selections
  const settings = yield* WidgetSettings
  const uses = yield* SessionUses
  const bookmarksOf = (id: string) => (isReservedOrganization(id) ? Context.get(sandbox, OwnBookmarks) : bookmarks)
  return Context.make(OwnBookmarks, {
    ...bookmarks,
    list: (owner) => bookmarksOf(owner.organization_id).list(owner),
    save: (owner, bookmark) => bookmarksOf(owner.organization_id).save(owner, bookmark),
    remove: (owner, postcode) => bookmarksOf(owner.organization_id).remove(owner, postcode)
  }).pipe(
    Context.add(EndUsers, {
      ...endUsers,
      bookmarks: (hashes, organization_id) =>
        isReservedOrganization(organization_id) ? Effect.succeed([]) : endUsers.bookmarks(hashes, organization_id)
    }),
    Context.add(Selections, {
      ...selections,
      record: (selection) =>
        isReservedOrganization(selection.organization_id) ? Effect.void : selections.record(selection)
    }),
    Context.add(WidgetSettings, {
      ...settings,
      get: (id) => (isReservedOrganization(id) ? Context.get(sandbox, WidgetSettings) : settings).get(id)
    }),
    Context.add(SessionUses, {
      take: (session, use, limit) =>
        (isReservedOrganization(session.organization_id) ? Context.get(sandbox, SessionUses) : uses).take(
          session,
          use,
          limit
        )
    })
  )
})
