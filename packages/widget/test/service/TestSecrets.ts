import { layerNodeSecrets, layerSessionTokens } from "@postcode/node/secrets"
import { Layer, Redacted } from "effect"

/** What a service hashes identifiers and signs sessions with. */
export const layerTestSecrets = Layer.merge(
  layerNodeSecrets({ version: 1, secret: Redacted.make("a-pepper-for-tests-and-nothing-else") }),
  layerSessionTokens([{ id: "test", secret: Redacted.make("a-signing-key-for-tests-and-nothing-else") }])
)
