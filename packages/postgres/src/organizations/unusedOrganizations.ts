/** Organizations that were never used, and are to be closed. */
import { type ClosingRule, closingAge, closingTime } from "@postcode/gateway/organizations/Organization"
import { type ClosingOrganization, maxTakenOrganizations } from "@postcode/gateway/organizations/Organizations"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"

/** See `Organizations.takeUnused`. One that another process takes, or that is used meanwhile, is not returned. */
export const takeUnused = (
  sql: SqlClient,
  now: string,
  rule: ClosingRule
): Effect.Effect<ReadonlyArray<ClosingOrganization>, SqlError> =>
  Effect.gen(function* () {
    const due = yield* sql<{ readonly id: string; readonly created_at: Date }>`
      SELECT o.id, o.created_at FROM postcode.organizations o
      WHERE o.closes_at IS NULL AND o.created_at <= ${closingAge(now, rule)}::timestamptz AND ${isUnused(sql)}
      ORDER BY o.number LIMIT ${maxTakenOrganizations}::integer`
    const taken: Array<ClosingOrganization> = []
    for (const { created_at, id } of due) {
      const closes_at = closingTime(created_at.toISOString(), now, rule)
      const marked = yield* sql`UPDATE postcode.organizations o SET closes_at = ${closes_at}::timestamptz
        WHERE o.id = ${id} AND o.closes_at IS NULL AND ${isUnused(sql)} RETURNING o.id`
      if (marked.length > 0) taken.push({ id, closes_at })
    }
    return taken
  })

/** See `Organizations.listClosing`. */
export const listClosing = (sql: SqlClient, now: string): Effect.Effect<ReadonlyArray<string>, SqlError> =>
  Effect.map(
    sql<{ readonly id: string }>`
      SELECT o.id FROM postcode.organizations o
      WHERE o.closes_at <= ${now}::timestamptz AND ${isUnused(sql)}
      ORDER BY o.number LIMIT ${maxTakenOrganizations}::integer`,
    (rows) => rows.map(({ id }) => id)
  )

/** Whether organization `o` was never used. Each lookup ends at the first row of an index that is found. */
const isUnused = (sql: SqlClient): Fragment =>
  sql.literal(`o.status = 'active' AND o.granted_level = 1 AND o.kyb_status = 'unverified'
        AND o.kyb_submission IS NULL
        AND EXISTS (SELECT FROM postcode.memberships m WHERE m.organization_id = o.id AND m.role = 'owner')
        AND NOT EXISTS (
          SELECT FROM postcode.api_keys k WHERE k.organization_id = o.id AND k.last_used_at IS NOT NULL
        )
        AND NOT EXISTS (
          SELECT FROM postcode.credit_days d WHERE d.organization_id = o.id AND d.sum <> 'opening'
        )
        AND NOT EXISTS (
          SELECT FROM postcode.credit_accounts a WHERE a.organization_id = o.id AND a.charged_day IS NOT NULL
        )
        AND NOT EXISTS (SELECT FROM postcode.access_requests r WHERE r.organization_id = o.id)`)
