/** The health of the database, from the checks for changes: five per second. */
import { type DatabaseState, StoreHealth } from "@postcode/gateway/store/StoreHealth"
import { Effect, Layer } from "effect"
import { KeyCopies } from "../keys/KeyCopies.ts"

export const layerStoreHealth: Layer.Layer<never, never, KeyCopies> = Layer.effect(
  StoreHealth,
  Effect.map(KeyCopies, ({ silence_ms }) => ({
    database: (): DatabaseState => (silence_ms() <= maxSilence_ms ? "connected" : "unavailable"),
    silence_ms
  }))
)

/** After this time without an answer, the state is `unavailable`. Reconnecting takes less. */
const maxSilence_ms = 2_000
