/** Maintenance with silent connections. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { cleanUp } from "../../src/maintenance/Maintenance.ts"
import { connectionsTo, migratedDatabase, proxyTo } from "../MigratedDatabase.ts"

describe("maintenance", () => {
  it.effect("ends steps whose connections are silent", () =>
    Effect.gen(function* () {
      const proxy = yield* proxyTo(yield* migratedDatabase)
      const logged: Array<string> = []
      const log = Logger.map(Logger.formatLogFmt, (line) => logged.push(line))
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const open = sql`SELECT pg_sleep(0.1)`
        yield* Effect.all([open, open, open], { concurrency: 3 })
        proxy.forget()
        const fiber = yield* Effect.forkChild(cleanUp)
        const later = Effect.andThen(
          Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20))),
          TestClock.adjust("1 minute")
        )
        yield* Effect.repeat(later, { until: () => fiber.pollUnsafe() !== undefined })
      }).pipe(Effect.provide(connectionsTo(proxy.url)), Effect.provideService(Logger.CurrentLoggers, new Set([log])))
      assert.lengthOf(logged, 14)
      assert.include(logged[2], "maintenance put off: to remove idle rate windows")
    }).pipe(Effect.scoped)
  )
})
