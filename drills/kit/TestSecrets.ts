/** The secrets of a service under test. */
import { layerNodeSecrets, layerSessionTokens } from "@postcode/node/secrets"
import { signingKeys } from "@postcode/node/testing"
import { Layer, Redacted } from "effect"

export const layerTestSecrets = Layer.merge(
  layerNodeSecrets({ version: 1, secret: Redacted.make("a-pepper-for-tests-and-nothing-else") }),
  layerSessionTokens(signingKeys)
)
