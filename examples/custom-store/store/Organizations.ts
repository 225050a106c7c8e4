/** Organizations in SQLite. */
import { environments } from "@postcode/core/Credits"
import { type Conflict, type NotFound, notFound } from "@postcode/gateway/Errors"
import {
  kybSubmitted,
  type Organization,
  passesFilter,
  statusConflict
} from "@postcode/gateway/organizations/Organization"
import { changedBy, Organizations, type StatusChanged } from "@postcode/gateway/organizations/Organizations"
import { Clock, Effect, Exit, Layer } from "effect"
import { append, openAccount } from "./accounts.ts"
import { Database } from "./Database.ts"
import { readPage } from "./readPage.ts"

export const layerOrganizations: Layer.Layer<Organizations, never, Database> = Layer.effect(
  Organizations,
  Effect.gen(function* () {
    const db = yield* Database
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
        })
    })
  })
)

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
