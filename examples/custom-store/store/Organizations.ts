/** Organizations in SQLite. */
import { environments } from "@postcode/core/Credits"
import type { Credentials } from "@postcode/gateway/accounts/Accounts"
import { type Conflict, type NotFound, notFound } from "@postcode/gateway/Errors"
import {
  closingAge,
  closingTime,
  kybSubmitted,
  type Organization,
  passesFilter,
  statusConflict
} from "@postcode/gateway/organizations/Organization"
import {
  type ClosingOrganization,
  changedBy,
  maxTakenOrganizations,
  Organizations,
  type StatusChanged
} from "@postcode/gateway/organizations/Organizations"
import { MemoryState } from "@postcode/memory"
import { Clock, Effect, Exit, Layer } from "effect"
import { append, openAccount } from "./accounts.ts"
import { Database } from "./Database.ts"
import { readPage } from "./readPage.ts"

export const layerOrganizations: Layer.Layer<Organizations, never, Database | MemoryState> = Layer.effect(
  Organizations,
  Effect.gen(function* () {
    const db = yield* Database
    const { accounts } = yield* MemoryState
    const clock = yield* Clock.Clock
    return Organizations.of({
      create: (organization, opening) =>
        db.step(() => {
          const { id: organization_id } = organization
          db.run("INSERT INTO organizations (id, record) VALUES (?, ?)", organization_id, JSON.stringify(organization))
          for (const environment of environments) {
            const account = { organization_id, environment }
            openAccount(db, account)
            const entry = { amount: opening[environment], reason: "opening", reference: organization_id } as const
            if (entry.amount > 0) append(db, account, entry, clock.currentTimeMillisUnsafe())
          }
          return Exit.void
        }),

      get: (id) =>
        db.step(() => {
          const organization = findOrganization(db, id)
          return organization === undefined ? Exit.fail(notFound("organization")) : Exit.succeed(organization)
        }),

      list: (filter, page) =>
        db.step(() => {
          const passed = (organization: Organization) => (passesFilter(organization, filter) ? organization : undefined)
          const itemOf = ({ record }: { readonly record?: unknown }) => passed(JSON.parse(String(record)))
          return readPage(db, { rows: "organizations WHERE true", parameters: [], itemOf }, page)
        }),

      update: (id, patch) =>
        db.step(() => {
          const organization = findOrganization(db, id)
          return organization === undefined
            ? Exit.fail(notFound("organization"))
            : Exit.succeed(replaceOrganization(db, changedBy(organization, patch)))
        }),

      changeStatus: (id, change) =>
        db.step<StatusChanged, Conflict | NotFound>(() => {
          const organization = findOrganization(db, id)
          if (organization === undefined) return Exit.fail(notFound("organization"))
          const conflict = statusConflict(organization.status, change.status)
          if (conflict !== undefined) return Exit.fail(conflict)
          if (organization.status === change.status)
            return Exit.succeed({ organization, repeated: true, revoked_keys: 0 })
          const changed = replaceOrganization(db, { ...organization, ...change })
          const revoked_keys = change.status === "closed" ? revokeAll(db, id, change.status_changed_at) : 0
          return Exit.succeed({ organization: changed, repeated: false, revoked_keys })
        }),

      submitKyb: (id, kyb_submission) =>
        db.step<Organization, Conflict | NotFound>(() => {
          const organization = findOrganization(db, id)
          if (organization === undefined) return Exit.fail(notFound("organization"))
          const { kyb_status } = organization
          if (kyb_status === "verified" || kyb_status === "pending") return Exit.fail(kybSubmitted(kyb_status))
          return Exit.succeed(replaceOrganization(db, { ...organization, kyb_status: "pending", kyb_submission }))
        }),

      takeUnused: (now, rule) =>
        db.step(() => {
          const age = closingAge(now, rule)
          const taken: Array<ClosingOrganization> = []
          for (const { created_at, id } of unused(db, accounts, "closes_at IS NULL")) {
            if (created_at > age || taken.length === maxTakenOrganizations) continue
            taken.push({ id, closes_at: closingTime(created_at, now, rule) })
          }
          for (const { closes_at, id } of taken)
            db.run("UPDATE organizations SET closes_at = ? WHERE id = ?", closes_at, id)
          return Exit.succeed(taken)
        }),

      listClosing: (now) =>
        db.step(() => {
          const closing = [...unused(db, accounts, "closes_at <= ?", now)]
          return Exit.succeed(closing.slice(0, maxTakenOrganizations).map(({ id }) => id))
        })
    })
  })
)

/** Organizations that were never used, see the port. Accounts are in memory. */
function* unused(
  db: Database["Service"],
  accounts: ReadonlyMap<string, Credentials>,
  condition: string,
  ...parameters: ReadonlyArray<string>
): Iterable<Organization> {
  const rows = db.iterate(
    `SELECT o.record FROM organizations o
     WHERE ${condition}
       AND NOT EXISTS (
         SELECT 1 FROM keys k WHERE k.organization_id = o.id AND json_extract(k.record, '$.last_used_at') IS NOT NULL
       )
       AND NOT EXISTS (SELECT 1 FROM entries e WHERE e.organization_id = o.id AND e.reason <> 'opening')
       AND NOT EXISTS (SELECT 1 FROM access_requests r WHERE r.organization_id = o.id)
     ORDER BY o.seq`,
    ...parameters
  )
  const memberships = [...accounts.values()].flatMap(({ account }) => account.memberships)
  const owned = new Set(memberships.filter(({ role }) => role === "owner").map((one) => one.organization_id))
  for (const { record } of rows) {
    const organization = JSON.parse(String(record)) as Organization
    const { granted_level, id, kyb_status, kyb_submission, status } = organization
    const isNew = granted_level === 1 && kyb_status === "unverified" && kyb_submission === undefined
    if (status === "active" && isNew && owned.has(id)) yield organization
  }
}

/** Answers how many keys were not revoked before. */
const revokeAll = (db: Database["Service"], organization_id: string, revoked_at: string): number => {
  const unrevoked = "organization_id = ? AND json_extract(record, '$.revoked_at') IS NULL"
  const count = db.get(`SELECT count(*) AS count FROM keys WHERE ${unrevoked}`, organization_id)
  const revoke = `UPDATE keys SET record = json_set(record, '$.revoked_at', ?) WHERE ${unrevoked}`
  db.run(revoke, revoked_at, organization_id)
  return Number(count?.count)
}

/** For use within a step. */
export const findOrganization = (db: Database["Service"], id: string): Organization | undefined => {
  const row = db.get("SELECT record FROM organizations WHERE id = ?", id)
  return row && (JSON.parse(String(row.record)) as Organization)
}

/** For use within a step. Answers what is stored now. */
export const replaceOrganization = (db: Database["Service"], organization: Organization): Organization => {
  db.run("UPDATE organizations SET record = ? WHERE id = ?", JSON.stringify(organization), organization.id)
  return organization
}
