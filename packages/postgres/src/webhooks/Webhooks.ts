/** Webhook endpoints and their deliveries on PostgreSQL. */

import { notFound } from "@postcode/gateway/Errors"
import { NoticeLimits } from "@postcode/gateway/notices/Notice"
import {
  deliveredAlready,
  maxListeners,
  maxWebhooks,
  tooManyListeners,
  tooManyPending,
  tooManyWebhooks
} from "@postcode/gateway/webhooks/Webhook"
import { Webhooks } from "@postcode/gateway/webhooks/Webhooks"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { asking, inTransaction } from "../connection/Database.ts"
import { raiseRevision } from "../connection/Follower.ts"
import { numberBefore, pageOf, rowsOfPage } from "../connection/Paging.ts"
import { newRowNumber } from "../connection/RowNumber.ts"
import { requireOrganization } from "../organizations/Organizations.ts"
import { announceDirectory } from "./announceDirectory.ts"
import { announceOn, hasRoom } from "./insertEvents.ts"
import {
  type DeliveryRow,
  deliveryColumns,
  type EndpointRow,
  endpointColumns,
  newDeliveryId,
  toDelivery,
  toEndpoint
} from "./WebhookRows.ts"

/** The port `Webhooks`. */
export const layerWebhooks: Layer.Layer<Webhooks, never, SqlClient> = Layer.effect(
  Webhooks,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    return Webhooks.of({ ...endpointsOn(sql), ...deliveriesOn(sql, yield* NoticeLimits) })
  })
)

type Service = Webhooks["Service"]

/** The methods of the port for endpoints. */
const endpointsOn = (sql: SqlClient): Pick<Service, "create" | "get" | "list" | "listen" | "remove" | "rotate"> => ({
  create: (endpoint, sealed) =>
    Effect.gen(function* () {
      const { created_at, description = null, id, organization_id, url } = endpoint
      yield* lockOrganization(sql, organization_id)
      const stored = yield* sql`INSERT INTO postcode.webhook_endpoints
        (id, number, organization_id, url, description, secret, created_at)
        SELECT ${id}, ${newRowNumber()}::bigint, ${organization_id}, ${url}, ${description}, ${sealed}, ${created_at}::timestamptz
        WHERE (SELECT count(*) FROM postcode.webhook_endpoints WHERE organization_id = ${organization_id}
          AND listened_at IS NULL) < ${maxWebhooks}::integer
        RETURNING id`
      if (stored.length === 0) return yield* tooManyWebhooks
      yield* raiseRevision(sql, "webhooks")
    }).pipe((work) => inTransaction(sql, work), asking),

  listen: (listener, sealed, silent_since) =>
    Effect.gen(function* () {
      const { created_at, description = null, id, listened_at, organization_id, url } = listener
      yield* lockOrganization(sql, organization_id)
      // Maintenance deletes the deliveries.
      yield* sql`DELETE FROM postcode.webhook_endpoints
        WHERE organization_id = ${organization_id} AND id <> ${id} AND listened_at < ${silent_since}::timestamptz`
      const resumed = yield* sql`UPDATE postcode.webhook_endpoints
        SET url = ${url}, description = ${description}, secret = ${sealed}, former_secret = NULL,
          former_secret_until = NULL, listened_at = ${listened_at}::timestamptz, lease = lease + 1, leased_until = now()
        WHERE organization_id = ${organization_id} AND id = ${id} RETURNING id`
      if (resumed.length > 0) return false
      const stored = yield* sql`INSERT INTO postcode.webhook_endpoints
        (id, number, organization_id, url, description, secret, created_at, listened_at)
        SELECT ${id}, ${newRowNumber()}::bigint, ${organization_id}, ${url}, ${description}, ${sealed},
          ${created_at}::timestamptz, ${listened_at}::timestamptz
        WHERE (SELECT count(*) FROM postcode.webhook_endpoints WHERE organization_id = ${organization_id}
          AND listened_at IS NOT NULL) < ${maxListeners}::integer
        RETURNING id`
      if (stored.length === 0) return yield* tooManyListeners
      yield* raiseRevision(sql, "webhooks")
      return true
    }).pipe((work) => inTransaction(sql, work), asking),

  list: (organization_id) =>
    Effect.gen(function* () {
      const rows = yield* sql<EndpointRow>`SELECT ${endpointColumns(sql)} FROM postcode.webhook_endpoints
        WHERE organization_id = ${organization_id} ORDER BY number DESC`
      if (rows.length === 0) yield* requireOrganization(sql, organization_id)
      return rows.map(toEndpoint)
    }).pipe(asking),

  get: (id) => endpointOf(sql, id),

  remove: (id) =>
    asking(
      inTransaction(
        sql,
        Effect.gen(function* () {
          const organization_id = yield* organizationOf(sql, "webhook", id)
          const removed = yield* sql`DELETE FROM postcode.webhook_endpoints
            WHERE organization_id = ${organization_id} AND id = ${id} RETURNING id`
          if (removed.length === 0) return yield* notFound("webhook")
          yield* sql`DELETE FROM postcode.webhook_deliveries
            WHERE organization_id = ${organization_id} AND endpoint_id = ${id}`
        })
      )
    ),

  rotate: (id, sealed, former_secret_until) =>
    Effect.flatMap(asking(organizationOf(sql, "webhook", id)), (organization_id) =>
      foundAs(
        "webhook",
        sql<EndpointRow>`UPDATE postcode.webhook_endpoints
          SET secret = ${sealed}, former_secret = secret, former_secret_until = ${former_secret_until}::timestamptz
          WHERE organization_id = ${organization_id} AND id = ${id} RETURNING ${endpointColumns(sql)}`,
        toEndpoint
      )
    )
})

/** Concurrent creations wait for this lock, so that none exceeds a maximum. */
const lockOrganization = (sql: SqlClient, id: string) =>
  Effect.flatMap(sql`SELECT FROM postcode.organizations WHERE id = ${id} FOR NO KEY UPDATE`, ([organization]) =>
    organization === undefined ? Effect.fail(notFound("organization")) : Effect.void
  )

/** The methods of the port for deliveries. */
const deliveriesOn = (
  sql: SqlClient,
  limits: NoticeLimits
): Pick<Service, "announce" | "announceDirectory" | "deliveries" | "delivery" | "enqueue" | "retry"> => {
  const deliveryOf = (id: string) =>
    foundAs(
      "delivery",
      sql<DeliveryRow>`SELECT ${deliveryColumns(sql)} FROM postcode.webhook_deliveries d WHERE d.id = ${id}`,
      toDelivery
    )

  return {
    enqueue: (endpoint_id, { at, data, id, type }) =>
      Effect.gen(function* () {
        const organization_id = yield* organizationOf(sql, "webhook", endpoint_id)
        const [row] = yield* sql<DeliveryRow>`INSERT INTO postcode.webhook_deliveries AS d
          (organization_id, id, number, endpoint_id, event_id, type, at, data, due_at)
          SELECT e.organization_id, ${newDeliveryId()}, ${newRowNumber()}::bigint, e.id, ${id}, ${type}, ${at}::timestamptz, ${JSON.stringify(data)}::json,
            clock_timestamp()
          FROM postcode.webhook_endpoints e
          WHERE e.organization_id = ${organization_id} AND e.id = ${endpoint_id} AND ${hasRoom(sql)}
          RETURNING ${deliveryColumns(sql)}`
        if (row !== undefined) return toDelivery(row)
        yield* endpointOf(sql, endpoint_id)
        return yield* tooManyPending
      }).pipe(asking),

    announce: (content) => asking(inTransaction(sql, announceOn(sql, content.data.organization_id, [content], limits))),

    announceDirectory: (decide) => announceDirectory(sql, decide),

    delivery: deliveryOf,

    deliveries: (endpoint_id, page) =>
      Effect.gen(function* () {
        const before = yield* numberBefore(page)
        const rows = yield* sql<DeliveryRow>`SELECT ${deliveryColumns(sql)} FROM postcode.webhook_deliveries d
          WHERE d.endpoint_id = ${endpoint_id} AND d.number < ${before}
          ORDER BY d.number DESC LIMIT ${rowsOfPage(page)}`
        return pageOf(rows, page, toDelivery)
      }).pipe(asking),

    retry: (id) =>
      Effect.gen(function* () {
        const organization_id = yield* organizationOf(sql, "delivery", id)
        const [row] = yield* sql<DeliveryRow>`UPDATE postcode.webhook_deliveries d
          SET status = 'pending', due_at = clock_timestamp()
          WHERE d.organization_id = ${organization_id} AND d.id = ${id} AND d.status <> 'delivered'
          RETURNING ${deliveryColumns(sql)}`
        if (row !== undefined) return toDelivery(row)
        yield* deliveryOf(id)
        return yield* deliveredAlready
      }).pipe(asking)
  }
}

/** The organization of an endpoint or a delivery, which changes then name, too. */
const organizationOf = (sql: SqlClient, what: "delivery" | "webhook", id: string) =>
  Effect.flatMap(
    sql<{ readonly organization_id: string }>`SELECT organization_id
      FROM ${sql.literal(what === "webhook" ? "postcode.webhook_endpoints" : "postcode.webhook_deliveries")}
      WHERE id = ${id}`,
    ([row]) => (row === undefined ? Effect.fail(notFound(what)) : Effect.succeed(row.organization_id))
  )

const endpointOf = (sql: SqlClient, id: string) =>
  foundAs(
    "webhook",
    sql<EndpointRow>`SELECT ${endpointColumns(sql)} FROM postcode.webhook_endpoints WHERE id = ${id}`,
    toEndpoint
  )

/** The item of the first row; fails with `NotFound` if there is none. */
const foundAs = <Row, A, E>(
  what: "delivery" | "webhook",
  rows: Effect.Effect<ReadonlyArray<Row>, E>,
  toItem: (row: Row) => A
) =>
  asking(
    Effect.flatMap(rows, ([row]) => (row === undefined ? Effect.fail(notFound(what)) : Effect.succeed(toItem(row))))
  )
