/** The secrets of the service under load, which nobody else ever meets. */
import { createHash } from "node:crypto"
import { layerNodeSecrets } from "@postcode/http"
import { Redacted } from "effect"

export const layerSecrets = layerNodeSecrets({ version: 1, secret: Redacted.make("a pepper for no identifier at all") })

/** The hash under which the service looks for a key. */
export const hashKey = (key: string): string => createHash("sha256").update(key).digest("hex")
