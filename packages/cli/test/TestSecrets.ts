/** The secrets of a service under test. */
import { layerNodeSecrets } from "@postcode/http"
import { Redacted } from "effect"

export const layerTestSecrets = layerNodeSecrets({ version: 1, secret: Redacted.make("a pepper for tests") })
