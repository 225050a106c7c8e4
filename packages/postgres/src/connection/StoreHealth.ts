/** Whether the database is within reach, as the questions for changes show it, which are asked five times a second. */
import { type DatabaseState, StoreHealth } from "@postcode/core/store/StoreHealth"
import { Effect, Layer } from "effect"
import { Epochs } from "../keys/Epochs.ts"

/** What the service says of its database where it is asked for its health. */
export const layerStoreHealth: Layer.Layer<never, never, Epochs> = Layer.effect(
  StoreHealth,
  Effect.map(Epochs, (epochs) => ({
    database: (): DatabaseState => (epochs.age_ms() <= silence_ms ? "connected" : "away"),
    silence_ms: epochs.age_ms
  }))
)

/** A database that has said nothing for so long is called away; a connection that is made anew takes less. */
const silence_ms = 2_000
