/** The health of the database, from the checks for changes: five per second. */
import type { PgClient } from "@effect/sql-pg"
import { type DatabaseState, StoreHealth } from "@postcode/gateway/store/StoreHealth"
import { Effect, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Follower, layerFollower } from "./Follower.ts"

export const layerStoreHealth: Layer.Layer<never, SqlError, PgClient.PgClient> = Layer.effect(
  StoreHealth,
  Effect.map(Follower, ({ silence_ms }) => ({
    database: (): DatabaseState => (silence_ms() <= maxSilence_ms ? "connected" : "unavailable"),
    silence_ms
  }))
).pipe(Layer.provide(layerFollower))

/** After this time without an answer, the state is `unavailable`. Reconnecting takes less. */
const maxSilence_ms = 2_000
