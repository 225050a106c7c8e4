/** Organizations on PostgreSQL. */
import { NotFound } from "@postcode/core/Errors"
import type { Organization } from "@postcode/core/Organization"
import { Organizations } from "@postcode/core/ports/Organizations"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { openAccounts } from "./CreditAccounts.ts"
import { asking, inTransaction } from "./Database.ts"
import { Epochs } from "./Epochs.ts"
import { changeKeys } from "./KeyChanges.ts"
import { numberBefore, pageOf, rowsOfPage } from "./Paging.ts"

export const layerOrganizations: Layer.Layer<Organizations, never, Epochs | SqlClient> = Layer.effect(
  Organizations,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const epochs = yield* Epochs

    const create: Service["create"] = ({ created_at, granted_level, id, kyb_status, name, review_note }, opening) =>
      Effect.andThen(
        sql`INSERT INTO postcode.organizations (id, name, granted_level, kyb_status, review_note, created_at)
          VALUES (${id}, ${name}, ${granted_level}, ${kyb_status}, ${review_note ?? null}, ${created_at})`,
        openAccounts(sql, id, opening)
      ).pipe((work) => inTransaction(sql, work), asking)

    const get: Service["get"] = (id) =>
      asking(
        Effect.flatMap(
          sql<OrganizationRow>`SELECT ${organizationColumns(sql)} FROM postcode.organizations WHERE id = ${id}`,
          ([row]) => (row === undefined ? Effect.fail(noSuchOrganization) : Effect.succeed(toOrganization(row)))
        )
      )

    const list: Service["list"] = (page) =>
      Effect.gen(function* () {
        const before = yield* numberBefore(page)
        const rows =
          yield* sql<OrganizationRow>`SELECT ${organizationColumns(sql)} FROM postcode.organizations WHERE number < ${before}
          ORDER BY number DESC LIMIT ${rowsOfPage(page)}`
        return pageOf(rows, page, toOrganization)
      }).pipe(asking)

    const update: Service["update"] = (id, { granted_level, kyb_status, name, review_note }) => {
      const change = Effect.map(
        sql<OrganizationRow>`UPDATE postcode.organizations SET
          name = coalesce(${name ?? null}, name),
          granted_level = coalesce(${granted_level ?? null}, granted_level),
          kyb_status = coalesce(${kyb_status ?? null}, kyb_status),
          review_note = coalesce(${review_note ?? null}, review_note)
          WHERE id = ${id} RETURNING ${organizationColumns(sql)}`,
        ([row]) => row
      )
      const changed = granted_level === undefined ? change : changeKeys(sql, epochs, id, change)
      return asking(
        Effect.flatMap(changed, (row) =>
          row === undefined ? Effect.fail(noSuchOrganization) : Effect.succeed(toOrganization(row))
        )
      )
    }

    return Organizations.of({ create, get, list, update })
  })
)

/** What ports fail with where an organization's id leads nowhere. */
export const noSuchOrganization = new NotFound({ message: "there is no organization with this id" })

type Service = Organizations["Service"]

type OrganizationRow = Pick<Organization, "granted_level" | "id" | "kyb_status" | "name"> & {
  readonly number: bigint
  readonly review_note: string | null
  readonly created_at: Date
}

/** By name: a prepared `*` fails once a later version of the schema has added a column. */
const organizationColumns = (sql: SqlClient) =>
  sql.literal("number, id, name, granted_level, kyb_status, review_note, created_at")

const toOrganization = (row: OrganizationRow): Organization => ({
  id: row.id,
  name: row.name,
  granted_level: row.granted_level,
  kyb_status: row.kyb_status,
  ...(row.review_note !== null && { review_note: row.review_note }),
  created_at: row.created_at.toISOString()
})
