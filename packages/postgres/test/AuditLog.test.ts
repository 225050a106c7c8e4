import { assert, layer } from "@effect/vitest"
import { auditLogSuite } from "@postcode/conformance"
import { type AuditEvent, AuditLog } from "@postcode/gateway/audit/AuditLog"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerAuditLog } from "../src/audit/AuditLog.ts"
import { layerMigrated } from "./MigratedDatabase.ts"

const store = Layer.provideMerge(layerAuditLog, layerMigrated)

auditLogSuite("on PostgreSQL", store)

layer(store, { excludeTestServices: true })("AuditLog on PostgreSQL, beyond the suite", (it) => {
  it.effect("an event is committed or rolled back with its transaction", () =>
    Effect.gen(function* () {
      const log = yield* AuditLog
      const sql = yield* SqlClient.SqlClient
      const inTransaction = (id: string, after: Effect.Effect<void, string>) =>
        Effect.exit(sql.withTransaction(Effect.andThen(log.append(newEvent({ id })), after)))
      yield* inTransaction("evt_kept", Effect.void)
      yield* inTransaction("evt_undone", Effect.fail("what it was about failed"))
      assert.deepStrictEqual(yield* storedIds("evt_kept", "evt_undone"), ["evt_kept"])
    })
  )

  it.effect("an event in a transaction does not wait for events outside, and they do not wait for its commit", () =>
    Effect.gen(function* () {
      const log = yield* AuditLog
      const sql = yield* SqlClient.SqlClient
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* log.append(newEvent({ id: "evt_inside" }))
          const outside = Effect.provideContext(log.append(newEvent({ id: "evt_outside" })), yield* withoutTransaction)
          yield* outside
          assert.deepStrictEqual(yield* storedIds("evt_inside", "evt_outside"), ["evt_inside", "evt_outside"])
        })
      )
    })
  )

  it.effect("events of many fibers are stored by few statements, in the order in which they were appended", () =>
    Effect.gen(function* () {
      const log = yield* AuditLog
      const sql = yield* SqlClient.SqlClient
      const ids = Array.from({ length: 300 }, (_, i) => `evt_many_${i}`)
      yield* Effect.forEach(ids, (id) => log.append(newEvent({ id })), { concurrency: "unbounded", discard: true })
      const rows = yield* sql<{ readonly id: string; readonly writer: bigint }>`
        SELECT id, xmin::text::int8 AS writer FROM postcode.audit_events WHERE id LIKE 'evt_many_%' ORDER BY number`
      assert.deepStrictEqual(
        rows.map(({ id }) => id),
        ids
      )
      assert.isAtMost(new Set(rows.map(({ writer }) => writer)).size, 5)
    })
  )

  it.effect("characters that PostgreSQL cannot store in a text are returned unchanged", () =>
    Effect.gen(function* () {
      const log = yield* AuditLog
      const organization_id = "org_characters"
      const event = newEvent({
        organization_id,
        details: { name: "a\u0000b", note: "\ud800 \udc00\ud800", "\u0000": 1 }
      })
      yield* log.append(event)
      assert.deepStrictEqual((yield* log.list({ organization_id }, { limit: 1, cursor: undefined })).items, [event])
    })
  )
})

const newEvent = (fields: Partial<AuditEvent>): AuditEvent => ({
  id: "evt",
  at: "2026-01-31T12:00:00.123Z",
  actor: "operator",
  action: "key.created",
  subject: "key_1",
  organization_id: "org_beyond",
  details: {},
  ...fields
})

const storedIds = (...ids: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ readonly id: string }>`
      SELECT id FROM postcode.audit_events WHERE ${sql.in("id", ids)} ORDER BY number`
    return rows.map(({ id }) => id)
  })

/** The context of a fiber that is in no transaction. */
const withoutTransaction = Effect.gen(function* () {
  const { transactionService } = yield* SqlClient.SqlClient
  return Context.omit(transactionService)(yield* Effect.context<never>())
})
