/** The secrets of the benchmarked service. */
import { createHash } from "node:crypto"
import { layerNodeSecrets, layerSessionTokens } from "@postcode/node/secrets"
import { Layer, Redacted } from "effect"

export const layerSecrets = Layer.merge(
  layerNodeSecrets({ version: 1, secret: Redacted.make("a-pepper-for-no-identifier-at-all") }),
  layerSessionTokens([
    { id: "bench", secret: Redacted.make("a-signing-key-for-no-widget-session-at-all-in-the-bench") }
  ])
)

/** The hash under which the service stores a key. */
export const hashKey = (key: string): string => createHash("sha256").update(key).digest("hex")
