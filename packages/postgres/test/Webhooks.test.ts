/** The ports of webhooks on PostgreSQL, and the events of charges. */
import { assert, describe, it } from "@effect/vitest"
import {
  dailyLimitEventsSuite,
  failsWith,
  inOneDay,
  lowBalanceSuite,
  newTestEvent,
  openAccount,
  storedOrganization,
  storedWebhook,
  webhookQueueSuite,
  webhooksSuite
} from "@postcode/conformance"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import { nextAnnouncement } from "@postcode/gateway/directory/changes/announceDirectory"
import { keptDeliveries } from "@postcode/gateway/webhooks/Webhook"
import { WebhookQueue } from "@postcode/gateway/webhooks/WebhookQueue"
import { Webhooks } from "@postcode/gateway/webhooks/Webhooks"
import { Context, Effect, Layer, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import { layerDatabase } from "../src/connection/Database.ts"
import { cleanUp } from "../src/maintenance/Maintenance.ts"
import { layerWebhooks } from "../src/webhooks/Webhooks.ts"
import { anEntry, replicaAt } from "./credits/Ledger.ts"
import { migratedDatabase, proxyTo } from "./MigratedDatabase.ts"
import { layerStore, storeOn } from "./TestStore.ts"

webhooksSuite("on PostgreSQL", layerStore)
lowBalanceSuite("on PostgreSQL", layerStore)
dailyLimitEventsSuite("on PostgreSQL", layerStore)

let sql: SqlClient.SqlClient | undefined
/** Moves all times of the queue into the past by a duration. */
const advance = (duration_ms: number) =>
  Effect.suspend(() => {
    if (sql === undefined) throw new Error("the database is there only while the tests run")
    const by = sql`${duration_ms}::double precision * interval '1 millisecond'`
    return Effect.andThen(
      sql`UPDATE postcode.webhook_endpoints SET leased_until = leased_until - ${by}`,
      sql`UPDATE postcode.webhook_deliveries SET due_at = due_at - ${by} WHERE due_at IS NOT NULL`
    )
  })
const tapped = Layer.tap(layerStore, (context) =>
  Effect.provide(
    Effect.map(SqlClient.SqlClient, (client) => {
      sql = client
    }),
    context
  )
)
webhookQueueSuite("on PostgreSQL", tapped, { advance: (ms) => Effect.asVoid(advance(ms)) })

const onDatabase = <A, E, R>(test: (url: string) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(migratedDatabase, (url) => Effect.provide(test(url), storeOn(url))).pipe(Effect.scoped)

/** The webhooks of another replica, until the scope closes. */
const replicaOfWebhooks = (url: string) =>
  Effect.map(
    Layer.build(Layer.fresh(Layer.provide(layerWebhooks, layerDatabase({ url: Redacted.make(url) })))),
    (context) => Context.get(context, Webhooks)
  )

const eventsOf = (endpoint_id: string) =>
  Effect.flatMap(Webhooks, (webhooks) =>
    Effect.map(webhooks.deliveries(endpoint_id, { limit: 100, cursor: undefined }), ({ items }) =>
      items.map(({ event }) => [event.data.balance, event.data.threshold])
    )
  )

describe("events of charges on PostgreSQL, with failures and concurrency", () => {
  it.live("a charge whose answer is lost and that runs again sends one event", () =>
    onDatabase((url) =>
      Effect.gen(function* () {
        const proxy = yield* proxyTo(url)
        const ledger = yield* replicaAt(proxy.url)
        const { account, charge } = yield* openAccount(10)
        const { id } = yield* storedWebhook(account.organization_id)
        yield* ledger.setThreshold(account, 8)
        proxy.lose(anEntry, "breaks")
        assert.deepStrictEqual(yield* ledger.charge(charge(5)), { charged: 5, balance: 5 })
        assert.strictEqual(proxy.lost(), 1)
        assert.deepStrictEqual(yield* eventsOf(id), [[5, 8]])
      })
    )
  )

  it.live(
    "concurrent charges by three replicas send one event when the balance is low, and one when it is used up",
    () =>
      onDatabase((url) =>
        Effect.gen(function* () {
          const replicas = [yield* replicaAt(url), yield* replicaAt(url), yield* CreditLedger]
          const { account, charge } = yield* openAccount(150)
          const { id } = yield* storedWebhook(account.organization_id)
          yield* (yield* CreditLedger).setThreshold(account, 100)
          yield* Effect.forEach(
            Array.from({ length: 200 }, (_, i) => replicas[i % 3] as CreditLedger["Service"]),
            (ledger) => Effect.result(ledger.charge(charge(1))),
            { concurrency: "unbounded" }
          )
          const [[, threshold] = [], ...used] = (yield* eventsOf(id)).toReversed()
          assert.strictEqual(threshold, 100)
          assert.deepStrictEqual(used, [[0, undefined]])
        })
      )
  )

  it.live("a daily limit that charges of three replicas exceed at the same time sends one event", () =>
    onDatabase((url) =>
      Effect.gen(function* () {
        yield* inOneDay
        const replicas = [yield* replicaAt(url), yield* replicaAt(url), yield* CreditLedger]
        const { account, charge } = yield* openAccount(150, { daily_credit_limit: 8 })
        const { id } = yield* storedWebhook(account.organization_id)
        yield* (yield* CreditLedger).charge(charge(7))
        const results = yield* Effect.forEach(
          Array.from({ length: 60 }, (_, i) => replicas[i % 3] as CreditLedger["Service"]),
          (ledger) => Effect.result(ledger.charge(charge(2))),
          { concurrency: "unbounded" }
        )
        assert.isTrue(results.every(Result.isFailure))
        const { items } = yield* (yield* Webhooks).deliveries(id, { limit: 100, cursor: undefined })
        assert.deepStrictEqual(
          items.map(({ event }) => [event.type, event.data.credits_today]),
          [["key.daily_limit_reached", 7]]
        )
      })
    )
  )
})

describe("events of the directory on PostgreSQL", () => {
  it.live("three replicas announce the same changes once", () =>
    onDatabase((url) =>
      Effect.gen(function* () {
        const { id } = yield* storedWebhook((yield* storedOrganization()).id)
        const replicas = yield* Effect.replicateEffect(replicaOfWebhooks(url), 3)
        const announce = (changes: number, now_ms: number) =>
          Effect.forEach(
            Array.from({ length: 15 }, (_, i) => replicas[i % 3] as Webhooks["Service"]),
            ({ announceDirectory }) =>
              announceDirectory((last) =>
                Effect.succeed(nextAnnouncement(last, { edition: "2026-1", changes }, now_ms))
              ),
            { concurrency: "unbounded", discard: true }
          )
        const start_ms = Date.now()
        yield* announce(5, start_ms)
        yield* announce(12, start_ms)
        yield* announce(14, start_ms + 59_999)
        yield* announce(15, start_ms + 60_000)
        const { items } = yield* (yield* Webhooks).deliveries(id, { limit: 100, cursor: undefined })
        assert.deepStrictEqual(
          items.map(({ event: { data } }) => [data.version, data.changes]),
          [
            ["2026-1+15", 3],
            ["2026-1+12", 7]
          ]
        )
      })
    )
  )

  it.live("an event reaches more organizations than one statement takes", () =>
    onDatabase(() =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const endpoints = yield* Effect.forEach(
          Array.from({ length: 250 }),
          () => Effect.flatMap(storedOrganization(), ({ id }) => storedWebhook(id)),
          { concurrency: 8 }
        )
        const version = { edition: "2026-1", changes: 0, at: new Date().toISOString() }
        const event = { type: "directory.edition", data: { version: "2026-1" } } as const
        yield* webhooks.announceDirectory(() => Effect.succeed({ version, event }))
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql<{ organization_id: string; endpoint_id: string; data: object }>`
          SELECT organization_id, endpoint_id, data FROM postcode.webhook_deliveries WHERE type = 'directory.edition'`
        const of = (organization_id: string, endpoint_id: string) => ({
          organization_id,
          endpoint_id,
          data: { organization_id, version: "2026-1" }
        })
        assert.sameDeepMembers(
          [...rows],
          endpoints.map(({ id, organization_id }) => of(organization_id, id))
        )
      })
    )
  )
})

describe("an event of the directory that a process left unsent", () => {
  it.live("is sent by the next call, once to each organization, before another one is decided", () =>
    onDatabase((url) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { deliveries } = yield* Webhooks
        const endpoints = yield* Effect.replicateEffect(
          Effect.flatMap(storedOrganization(), ({ id }) => storedWebhook(id)),
          3
        )
        const ids = yield* sql<{ id: string }>`SELECT id FROM postcode.organizations ORDER BY id`
        const event = { type: "directory.edition", data: { version: "2026-1" } }
        yield* sql`INSERT INTO postcode.directory_announcement (edition, changes, at, event, sent_to)
          VALUES ('2026-1', 0, now(), ${JSON.stringify(event)}::json, ${ids[0]?.id ?? ""})`
        const replicas = yield* Effect.replicateEffect(replicaOfWebhooks(url), 3)
        yield* Effect.forEach(replicas, ({ announceDirectory }) => announceDirectory(() => Effect.succeed(undefined)), {
          concurrency: "unbounded",
          discard: true
        })
        const sent = yield* Effect.forEach(endpoints, ({ id, organization_id }) =>
          Effect.map(deliveries(id, { limit: 10, cursor: undefined }), ({ items }) => ({
            organization_id,
            versions: items.map(({ event }) => event.data.version)
          }))
        )
        assert.sameDeepMembers(
          sent,
          ids.map(({ id }, i) => ({ organization_id: id, versions: i === 0 ? [] : ["2026-1"] }))
        )
      })
    )
  )
})

describe("deliveries on PostgreSQL", () => {
  it.live("deliveries of removed endpoints and those settled a month ago are deleted; others stay", () =>
    onDatabase(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const webhooks = yield* Webhooks
        const queue = yield* WebhookQueue
        const { id: organization } = yield* storedOrganization()
        const [endpoint, gone] = [yield* storedWebhook(organization), yield* storedWebhook(organization)]
        const [old, recent, pending] = yield* Effect.replicateEffect(webhooks.enqueue(endpoint.id, newTestEvent()), 3)
        const orphan = yield* webhooks.enqueue(gone.id, newTestEvent())
        yield* sql`DELETE FROM postcode.webhook_endpoints WHERE id = ${gone.id}`
        for (const _ of [old, recent]) {
          const [leased] = yield* queue.lease(1, 60_000)
          assert.isDefined(leased)
          if (leased !== undefined) yield* queue.settle(leased, { status: "failed" })
        }
        yield* sql`UPDATE postcode.webhook_deliveries SET last_attempt_at = now() - interval '31 days'
          WHERE id = ${old?.id ?? ""}`
        yield* cleanUp
        for (const removed of [old, orphan]) yield* failsWith(webhooks.delivery(removed?.id ?? ""), "NotFound")
        for (const kept of [recent, pending]) {
          assert.strictEqual((yield* webhooks.delivery(kept?.id ?? "")).id, kept?.id)
        }
      })
    )
  )

  it.live("the newest 1,000 settled deliveries of an endpoint are kept, and all pending ones", () =>
    onDatabase(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { id: organization } = yield* storedOrganization()
        const endpoints = [yield* storedWebhook(organization), yield* storedWebhook(organization)]
        for (const [i, { id }] of endpoints.entries()) {
          yield* sql`INSERT INTO postcode.webhook_deliveries
            (organization_id, id, number, endpoint_id, event_id, type, at, data, status, last_attempt_at, due_at)
            SELECT ${organization}, ${`dlv_${i}_`} || n, n, ${id}, 'msg', 'webhook.test', now(), '{}',
              CASE WHEN n = 1 THEN 'pending' ELSE 'delivered' END, now(), CASE WHEN n = 1 THEN now() END
            FROM generate_series(1, ${keptDeliveries + 2 - i}::integer) n ORDER BY n`
        }
        yield* cleanUp
        const first = yield* sql`SELECT id FROM postcode.webhook_deliveries WHERE id ~ '_[123]$' ORDER BY id`
        assert.deepStrictEqual(
          first.map(({ id }) => id),
          ["dlv_0_1", "dlv_0_3", "dlv_1_1", "dlv_1_2", "dlv_1_3"]
        )
      })
    )
  )
})
