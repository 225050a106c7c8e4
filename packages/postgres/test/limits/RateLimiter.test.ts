/** The port `RateLimiter` on PostgreSQL. */
import { assert, describe, it } from "@effect/vitest"
import { rateLimiterSuite } from "@postcode/conformance"
import { RateLimiter } from "@postcode/gateway/limits/RateLimiter"
import { Effect, Exit, Layer } from "effect"
import { layerRateLimiter } from "../../src/limits/RateLimiter.ts"
import { layerMigrated } from "../MigratedDatabase.ts"
import { layerTestSecrets } from "../TestSecrets.ts"

const layer = layerRateLimiter({ timeout_ms: 5_000 }).pipe(
  Layer.provide(layerMigrated),
  Layer.provide(layerTestSecrets)
)

rateLimiterSuite("on PostgreSQL", layer)

describe("RateLimiter on PostgreSQL", () => {
  it.live("a request that finds local allowance is decided synchronously", () =>
    Effect.gen(function* () {
      const { take } = yield* RateLimiter
      // A subject has an allowance after some requests.
      for (let i = 0; i < 6; i++) yield* take("key:busy", 100, 2)
      assert.isTrue(Exit.isExit(take("key:busy", 100, 1)))
    }).pipe(Effect.provide(layer))
  )
})
