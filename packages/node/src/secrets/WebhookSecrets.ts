/**
 * The port `WebhookSecrets` on Node. Secrets are sealed with AES-256-GCM under keys that are derived from the peppers,
 * so a dump of the database is not enough to sign, and operators need no further secret.
 */
import { createHmac, type KeyObject, randomBytes } from "node:crypto"
import { WebhookSecrets } from "@postcode/gateway/webhooks/WebhookSecrets"
import { Layer, Redacted } from "effect"
import type { Pepper } from "./Pepper.ts"
import { boxKey, open, seal } from "./SealedBox.ts"

/**
 * @param pepper the current one, which seals
 * @param former previous ones, which can still open
 */
export const layerWebhookSecrets = (pepper: Pepper, former: ReadonlyArray<Pepper>): Layer.Layer<WebhookSecrets> => {
  const keys = new Map([pepper, ...former].map((one) => [String(one.version), keyOf(one)]))
  const present = { version: String(pepper.version), key: keyOf(pepper) }
  return Layer.succeed(WebhookSecrets, {
    make: (endpoint_id) => {
      const secret = randomBytes(secretLength)
      return {
        secret: Redacted.make(`whsec_${secret.toString("base64")}`),
        sealed: `${present.version}:${seal(present.key, endpoint_id, secret).toString("base64")}`
      }
    },
    sign: (sealed, endpoint_id, content) => {
      const [version = "", box = ""] = sealed.split(":")
      const key = keys.get(version)
      const secret = key && open(key, endpoint_id, Buffer.from(box, "base64"))
      return secret && `v1,${createHmac("sha256", secret).update(content).digest("base64")}`
    }
  })
}

const secretLength = 32

const keyOf = ({ secret }: Pepper): KeyObject => boxKey(secret, "postcode webhook secrets")
