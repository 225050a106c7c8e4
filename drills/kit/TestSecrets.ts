/** The secrets of a service under test. */

import { signingKeys } from "@postcode/conformance/devices"
import { layerNodeSecrets, layerSessionTokens } from "@postcode/node/secrets"
import { Layer, Redacted } from "effect"

export const layerTestSecrets = Layer.merge(
  layerNodeSecrets({ version: 1, secret: Redacted.make("a-pepper-for-tests-and-nothing-else") }),
  layerSessionTokens(signingKeys)
)
