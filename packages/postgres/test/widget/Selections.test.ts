import { assert, layer } from "@effect/vitest"
import { failsWith, newSelection, selectionsSuite } from "@postcode/conformance"
import { Selections } from "@postcode/gateway/widget/selections/Selections"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type FlushableSelections, layerSelections, makeSelections } from "../../src/widget/Selections.ts"
import { untilLockWaits } from "../LockWaits.ts"
import { connectionsTo, layerMigrated, migratedDatabase, proxyTo } from "../MigratedDatabase.ts"

/** Flushes when the suite requests it. */
let made: FlushableSelections | undefined
const store = Layer.effect(
  Selections,
  Effect.map(makeSelections(), (flushable) => {
    made = flushable
    return flushable.selections
  })
).pipe(Layer.provide(layerMigrated))

selectionsSuite("on PostgreSQL", store, { settle: Effect.suspend(() => Effect.orDie(made?.flush ?? Effect.void)) })

layer(layerMigrated, { excludeTestServices: true })("Selections on PostgreSQL, beyond the suite", (it) => {
  it.effect("all accepted selections are stored when the layer's scope closes", () =>
    Effect.gen(function* () {
      const recorded = Array.from({ length: 2_500 }, () => newSelection({ organization_id: "org_stopped" }))
      yield* Effect.provide(
        Effect.flatMap(Selections, ({ record }) => Effect.forEach(recorded, record, { discard: true })),
        layerSelections({ flushEvery_ms: 3_600_000 })
      )
      assert.deepStrictEqual(
        yield* storedIds("org_stopped"),
        recorded.map(({ id }) => id)
      )
    })
  )

  it.effect("selections above the maximum are refused, until some are stored", () =>
    Effect.gen(function* () {
      const { flush, selections } = yield* makeSelections({ flushEvery_ms: 3_600_000, maxWaiting: 2 })
      const selection = () => newSelection({ organization_id: "org_full" })
      yield* selections.record(selection())
      yield* selections.record(selection())
      yield* failsWith(selections.record(selection()), "Unavailable")
      yield* flush
      yield* selections.record(selection())
      yield* flush
      assert.lengthOf(yield* storedIds("org_full"), 3)
    })
  )

  it.effect("a batch whose commit is in doubt is stored once, even if it is repeated on another day", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const proxy = yield* proxyTo(url)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { flush, selections } = yield* Effect.provide(
          makeSelections({ flushEvery_ms: 3_600_000 }),
          yield* Layer.build(connectionsTo(proxy.url))
        )
        const recorded = ["2026-01-31T23:59:59.999Z", "2026-02-01T00:00:00.000Z"].map((at) =>
          newSelection({ organization_id: "org_doubt", at })
        )
        // Once before, so that the statement is prepared and is sent in one message.
        yield* selections.record(newSelection())
        yield* flush
        yield* Effect.forEach(recorded, selections.record)
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`LOCK TABLE postcode.selections IN ACCESS EXCLUSIVE MODE`
            const flushing = yield* Effect.forkChild(Effect.exit(flush))
            yield* untilLockWaits()
            proxy.cut()
            assert.propertyVal(yield* Fiber.join(flushing), "_tag", "Failure")
          })
        )
        yield* Effect.repeat(storedIds("org_doubt"), { until: (ids) => ids.length === 2 })
        yield* flush
        assert.deepStrictEqual(
          yield* storedIds("org_doubt"),
          recorded.map(({ id }) => id)
        )
      }).pipe(Effect.provide(connectionsTo(url)))
    }).pipe(Effect.scoped)
  )
})

const storedIds = (organization_id: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ readonly id: string }>`
      SELECT id FROM postcode.selections WHERE organization_id = ${organization_id} ORDER BY number`
    return rows.map(({ id }) => id)
  })
