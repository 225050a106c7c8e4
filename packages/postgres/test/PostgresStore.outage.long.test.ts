/** Shutdown of the store while the database is unavailable. */
import { assert, describe, it } from "@effect/vitest"
import { newKey, newSelection, newUsageEvent, nextTimestamp, storedOrganization, unique } from "@postcode/conformance"
import type { TcpProxy } from "@postcode/drills/postgres"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { RateLimiter } from "@postcode/gateway/limits/RateLimiter"
import { UsageLog } from "@postcode/gateway/usage/UsageLog"
import { Selections } from "@postcode/gateway/widget/selections/Selections"
import { Effect, Exit, Layer, Logger, Scope } from "effect"
import { migratedDatabase, proxyTo } from "./MigratedDatabase.ts"
import { quickest_ms } from "./Quickest.ts"
import { storeOn } from "./TestStore.ts"

/**
 * Opens a store, makes the database unavailable, buffers data of every kind, and returns how long the shutdown takes.
 */
const timeToClose_ms = (takeAway: (proxy: TcpProxy) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const proxy = yield* proxyTo(yield* migratedDatabase)
    const scope = yield* Scope.make()
    const store = yield* Layer.buildWithScope(storeOn(proxy.url), scope)
    yield* Effect.gen(function* () {
      const [keys, limiter, selections, usage] = [
        yield* ApiKeys,
        yield* RateLimiter,
        yield* Selections,
        yield* UsageLog
      ]
      const { id: organization_id } = yield* storedOrganization()
      const hash = unique("hash")
      yield* keys.create(newKey(organization_id), hash)
      yield* limiter.take(`key:${unique("key")}`, 600, 1)
      yield* keys.findByHash(hash, nextTimestamp())
      yield* takeAway(proxy)
      usage.record(newUsageEvent(organization_id))
      yield* selections.record(newSelection({ organization_id }))
      // So that writing both has started.
      yield* Effect.sleep(1_200)
    }).pipe(Effect.provideContext(store))
    const since_ms = performance.now()
    yield* Scope.close(scope, Exit.void)
    return performance.now() - since_ms
  })

describe("the store", () => {
  it.live("closes within ten seconds while the database is silent or refuses connections", () =>
    Effect.gen(function* () {
      const silent = timeToClose_ms((proxy) => Effect.sync(() => proxy.goSilent()))
      const refused = timeToClose_ms((proxy) => Effect.promise(proxy.close))
      const both = [silent, refused].map((time_ms) => quickest_ms(Effect.scoped(time_ms), 10_500))
      const times_ms = yield* Effect.all(both, { concurrency: 2 })
      for (const time_ms of times_ms) assert.isBelow(time_ms, 10_500)
    }).pipe(Effect.scoped, Effect.provideService(Logger.CurrentLoggers, new Set()))
  )
})
