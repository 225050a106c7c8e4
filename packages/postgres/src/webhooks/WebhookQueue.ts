/** The queue of webhooks on PostgreSQL, shared by all replicas. Times are from the database's clock. */

import type { PgClient } from "@effect/sql-pg"
import { NoticeLimits } from "@postcode/gateway/notices/Notice"
import { disabledNotice } from "@postcode/gateway/notices/noticeOfEvent"
import { keptDeliveries, listenerTimeout_ms, type Settlement } from "@postcode/gateway/webhooks/Webhook"
import { type Lease, type LeasedDelivery, WebhookQueue } from "@postcode/gateway/webhooks/WebhookQueue"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { answeredOrBroken } from "../connection/AnsweredWithin.ts"
import { asking, inTransaction } from "../connection/Database.ts"
import { Follower, layerFollower } from "../connection/Follower.ts"
import { insertForRoles } from "../notices/insertNotices.ts"
import { type DeliveryRow, deliveryColumns, type EndpointRow, toDelivery, toEndpoint } from "./WebhookRows.ts"

/** The port `WebhookQueue`. A process notices the first endpoint of another one within 200 ms. */
export const layerWebhookQueue: Layer.Layer<WebhookQueue, SqlError, PgClient.PgClient | SqlClient.SqlClient> =
  Layer.effect(
    WebhookQueue,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const follower = yield* Follower
      const limits = yield* NoticeLimits
      let hasEndpoints = true
      yield* follower.follow("webhooks", {
        name: "webhooks",
        reload: () =>
          Effect.map(answeredOrBroken(findEndpoint(sql), timeout_ms), ({ length }) => {
            hasEndpoints = length > 0
          })
      })
      return WebhookQueue.of({
        hasEndpoints: () => hasEndpoints,
        lease: (limit, duration_ms) => asking(lease(sql, limit, duration_ms)),
        leaseOfListener: (id, duration_ms) => asking(leaseOfListener(sql, id, duration_ms)),
        settle: (leased, settlement) => asking(inTransaction(sql, settle(sql, leased, settlement, limits)))
      })
    })
  ).pipe(Layer.provide(layerFollower))

const findEndpoint = (sql: SqlClient.SqlClient) => sql`SELECT FROM postcode.webhook_endpoints LIMIT 1`
const timeout_ms = 1_000

/**
 * Deletes listeners that were last heard too long ago, deliveries of removed endpoints, deliveries settled 30 days ago, and all settled deliveries of an endpoint
 * except its newest `keptDeliveries`.
 */
export const forgetPastDeliveries = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.all([
    sql`DELETE FROM postcode.webhook_endpoints
      WHERE listened_at < now() - ${listenerTimeout_ms}::double precision * interval '1 millisecond'`,
    sql`DELETE FROM postcode.webhook_deliveries d
      WHERE (d.due_at IS NULL AND d.last_attempt_at < now() - interval '30 days')
        OR NOT EXISTS (
          SELECT FROM postcode.webhook_endpoints e WHERE e.organization_id = d.organization_id AND e.id = d.endpoint_id
        )`,
    forgetSurplus(sql)
  ])
)

/** Deletes settled deliveries of endpoints with more than `keptDeliveries`, oldest first. */
const forgetSurplus = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const full = yield* sql<DueEndpoint>`SELECT organization_id, endpoint_id FROM postcode.webhook_deliveries
    WHERE due_at IS NULL GROUP BY organization_id, endpoint_id HAVING count(*) > ${keptDeliveries}::integer`
  for (const { endpoint_id, organization_id } of full) {
    yield* sql`DELETE FROM postcode.webhook_deliveries
      WHERE organization_id = ${organization_id} AND endpoint_id = ${endpoint_id} AND due_at IS NULL
        AND number <= (
          SELECT s.number FROM postcode.webhook_deliveries s
          WHERE s.organization_id = ${organization_id} AND s.endpoint_id = ${endpoint_id} AND s.due_at IS NULL
          ORDER BY s.number DESC OFFSET ${keptDeliveries}::integer LIMIT 1
        )`
  }
})

type LeasedRow = DeliveryRow &
  Omit<EndpointRow, "id"> & {
    readonly waits_since: Date
    readonly lease: bigint
    readonly secret: string
    readonly former_secret: string | null
  }

/** Finds endpoints with due deliveries and leases each separately, because other replicas may be faster. */
const lease = (
  sql: SqlClient.SqlClient,
  limit: number,
  duration_ms: number
): Effect.Effect<ReadonlyArray<LeasedDelivery>, SqlError> =>
  Effect.gen(function* () {
    const endpoints = yield* findDue(sql, limit)
    const rows = yield* Effect.forEach(endpoints, (endpoint) => leaseEndpoint(sql, endpoint, duration_ms))
    return rows
      .flat()
      .toSorted((a, b) => a.waits_since.getTime() - b.waits_since.getTime() || Number(a.number - b.number))
      .map(toLeased)
  })

interface DueEndpoint {
  readonly organization_id: string
  readonly endpoint_id: string
}

/** Endpoints without a lease that have due deliveries, least recently leased first. */
const findDue = (sql: SqlClient.SqlClient, limit: number) => sql<DueEndpoint>`
  SELECT d.organization_id, d.endpoint_id
  FROM postcode.webhook_deliveries d
  JOIN postcode.webhook_endpoints e ON e.organization_id = d.organization_id AND e.id = d.endpoint_id
  WHERE d.due_at <= now() AND e.leased_until <= now() AND e.listened_at IS NULL
  GROUP BY d.organization_id, d.endpoint_id, e.leased_until
  ORDER BY e.leased_until, min(d.due_at) LIMIT ${limit}`

/**
 * Leases an endpoint for its first due delivery, if it is still free. Rows locked by other replicas are being leased,
 * so they are skipped. Both rows are checked again when they are locked, because a lock returns the latest version of a
 * row.
 */
const leaseEndpoint = (
  sql: SqlClient.SqlClient,
  { endpoint_id, organization_id }: DueEndpoint,
  duration_ms: number
): Effect.Effect<ReadonlyArray<LeasedRow>, SqlError> =>
  sql<LeasedRow>`
    WITH due AS MATERIALIZED (
      SELECT d.id, d.due_at FROM postcode.webhook_deliveries d
      WHERE d.organization_id = ${organization_id} AND d.endpoint_id = ${endpoint_id} AND d.due_at <= now()
      ORDER BY d.due_at, d.number LIMIT 1
    ), free AS MATERIALIZED (
      SELECT d.id, due.due_at
      FROM due
      JOIN postcode.webhook_endpoints e ON e.organization_id = ${organization_id} AND e.id = ${endpoint_id}
      JOIN postcode.webhook_deliveries d ON d.organization_id = ${organization_id} AND d.id = due.id
      WHERE e.leased_until <= now() AND d.due_at <= now()
      FOR UPDATE OF e, d SKIP LOCKED
    ), leased AS (
      UPDATE postcode.webhook_endpoints e
      SET lease = lease + 1, leased_until = now() + ${duration_ms}::double precision * interval '1 millisecond'
      FROM free WHERE e.organization_id = ${organization_id} AND e.id = ${endpoint_id}
      RETURNING e.*
    ), begun AS (
      UPDATE postcode.webhook_deliveries d SET attempts = attempts + 1
      FROM free WHERE d.organization_id = ${organization_id} AND d.id = free.id
      RETURNING d.*, free.due_at AS waits_since
    )
    SELECT ${deliveryColumns(sql)}, d.waits_since, e.lease, e.secret, e.former_secret, e.organization_id, e.url,
      e.description, e.created_at, e.former_secret_until, e.disabled_at, e.listened_at
    FROM begun d CROSS JOIN leased e`

/** That it was heard is written once a minute. */
const leaseOfListener = (
  sql: SqlClient.SqlClient,
  id: string,
  duration_ms: number
): Effect.Effect<LeasedDelivery | undefined, SqlError> =>
  Effect.gen(function* () {
    const [listener] = yield* sql<DueEndpoint & { readonly was_heard: boolean }>`
      SELECT organization_id, id AS endpoint_id, listened_at > now() - interval '1 minute' AS was_heard
      FROM postcode.webhook_endpoints WHERE id = ${id} AND listened_at IS NOT NULL`
    if (listener === undefined) return undefined
    const { organization_id, was_heard } = listener
    if (!was_heard) {
      yield* sql`UPDATE postcode.webhook_endpoints SET listened_at = now()
        WHERE organization_id = ${organization_id} AND id = ${id}`
    }
    const [row] = yield* leaseEndpoint(sql, listener, duration_ms)
    return row && toLeased(row)
  })

const toLeased = (row: LeasedRow): LeasedDelivery => ({
  lease: Number(row.lease),
  endpoint: toEndpoint({ ...row, id: row.endpoint_id }),
  secrets: { present: row.secret, ...(row.former_secret !== null && { former: row.former_secret }) },
  delivery: toDelivery(row)
})

const settle = (
  sql: SqlClient.SqlClient,
  { delivery, endpoint, lease }: Lease,
  { after_ms, disables, fault, last_status, status }: Settlement,
  limits: NoticeLimits
): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    const settled = yield* sql`
    WITH ended AS (
      UPDATE postcode.webhook_endpoints SET leased_until = now(),
        disabled_at = CASE WHEN ${disables ?? false}::boolean THEN now() ELSE disabled_at END
      WHERE organization_id = ${endpoint.organization_id} AND id = ${endpoint.id} AND lease = ${lease}::bigint
      RETURNING id
    )
    UPDATE postcode.webhook_deliveries d
    SET status = ${status}, last_status = ${last_status ?? null}::smallint, fault = ${fault ?? null}, last_attempt_at = now(),
      due_at = now() + ${after_ms ?? null}::double precision * interval '1 millisecond'
    FROM ended WHERE d.organization_id = ${endpoint.organization_id} AND d.id = ${delivery.id}
    RETURNING d.id`
    if (disables && settled.length > 0 && limits.isOn) yield* insertForRoles(sql, disabledNotice(endpoint), limits)
  })
