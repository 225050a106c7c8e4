/** The port `RateLimiter` on PostgreSQL. */
import { rateLimiterSuite } from "@postcode/core/testing/RateLimiterSuite"
import { Layer } from "effect"
import { layerRateLimiter } from "../src/RateLimiter.ts"
import { layerMigrated } from "./MigratedDatabase.ts"
import { layerTestSecrets } from "./TestSecrets.ts"

rateLimiterSuite(
  "on PostgreSQL",
  layerRateLimiter({ patience_ms: 5_000 }).pipe(Layer.provide(layerMigrated), Layer.provide(layerTestSecrets))
)
