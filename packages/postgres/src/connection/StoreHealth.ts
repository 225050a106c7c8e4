/** Whether the database answers, as the queries show that keep the copies of keys valid: ten a second. */
import { type DatabaseState, StoreHealth } from "@postcode/core/store/StoreHealth"
import { Effect, Layer } from "effect"
import { KeyCopies } from "../keys/KeyCopies.ts"

/** What the service says of its database where it is asked for its health. */
export const layerStoreHealth: Layer.Layer<never, never, KeyCopies> = Layer.effect(
  StoreHealth,
  Effect.map(KeyCopies, ({ silence_ms }) => ({
    database: (): DatabaseState => (silence_ms() <= maxSilence_ms ? "connected" : "away"),
    silence_ms
  }))
)

/** A database that has said nothing for so long is called away; a connection that is made anew takes less. */
const maxSilence_ms = 2_000
