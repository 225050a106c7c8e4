/**
 * The port `WebhookSecrets` on Node. Secrets are sealed with AES-256-GCM under keys that are derived from the peppers: so
 * a dump of the database alone signs nothing, and whoever holds the peppers needs to keep no further secret.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto"
import { WebhookSecrets } from "@postcode/core/ports/WebhookSecrets"
import { Layer, Redacted } from "effect"
import type { Pepper } from "./Pepper.ts"

/**
 * @param pepper what is sealed from now on is so under this one
 * @param former those of before, which still open what they sealed
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
const nonceLength = 12
const tagLength = 16
const algorithm = "aes-256-gcm"

/** A key for this alone: what else the pepper is for tells nothing of it. */
const keyOf = ({ secret }: Pepper): Buffer =>
  Buffer.from(hkdfSync("sha256", Redacted.value(secret), "", "postcode webhook secrets", 32))

/** A nonce, the tag, and the secret encrypted; bound to its endpoint, so that it is of no use in another one's row. */
const seal = (key: Buffer, endpoint_id: string, secret: Buffer): Buffer => {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(endpoint_id))
  const encrypted = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted])
}

/** Undefined for what was sealed with another key, for another endpoint, or was changed since. */
const open = (key: Buffer, endpoint_id: string, box: Buffer): Buffer | undefined => {
  try {
    const decipher = createDecipheriv(algorithm, key, box.subarray(0, nonceLength), { authTagLength: tagLength })
      .setAAD(Buffer.from(endpoint_id))
      .setAuthTag(box.subarray(nonceLength, nonceLength + tagLength))
    return Buffer.concat([decipher.update(box.subarray(nonceLength + tagLength)), decipher.final()])
  } catch {
    return undefined
  }
}
