/** The ports `Secrets`, `Passwords`, `PasskeyCeremonies` and `WebhookSecrets`: what is computed with secrets, on Node. */

import { createHmac, hash, randomBytes } from "node:crypto"
import { keyAlphabet } from "@postcode/core/ApiKey"
import type { PasskeyCeremonies } from "@postcode/core/ports/PasskeyCeremonies"
import type { Passwords } from "@postcode/core/ports/Passwords"
import { Secrets } from "@postcode/core/ports/Secrets"
import type { WebhookSecrets } from "@postcode/core/ports/WebhookSecrets"
import { Layer, Redacted } from "effect"
import { layerNodePasskeys } from "./NodePasskeys.ts"
import { layerNodePasswords } from "./NodePasswords.ts"
import { layerWebhookSecrets } from "./NodeWebhookSecrets.ts"
import type { Pepper } from "./Pepper.ts"

/**
 * @param pepper the present one
 * @param former those of before under which accounts may still be stored
 */
export const layerNodeSecrets = (
  pepper: Pepper,
  former: ReadonlyArray<Pepper> = []
): Layer.Layer<PasskeyCeremonies | Passwords | Secrets | WebhookSecrets> =>
  Layer.mergeAll(
    layerSecrets(pepper, former),
    layerNodePasswords(),
    layerNodePasskeys,
    layerWebhookSecrets(pepper, former)
  )

const layerSecrets = (pepper: Pepper, former: ReadonlyArray<Pepper>): Layer.Layer<Secrets> =>
  Layer.succeed(Secrets, {
    random: randomAlphanumeric,
    hash: (secret) => hash("sha256", Redacted.value(secret)),
    hashSent: (secret) => hash("sha256", secret),
    hashIdentifier: hashWith(pepper),
    identifierHashes: (normalized) => [
      hashWith(pepper)(normalized),
      ...former.map((pepper) => hashWith(pepper)(normalized))
    ]
  })

const hashWith =
  ({ secret, version }: Pepper) =>
  (normalized: Redacted.Redacted<string>): string =>
    `${version}:${createHmac("sha256", Redacted.value(secret)).update(Redacted.value(normalized)).digest("hex")}`

/**
 * Characters of `[0-9A-Za-z]`, each equally likely: bytes of 248 and up are thrown away rather than folded. They are put
 * together at once, since a text that grows by one character after the other is kept as all of its pieces.
 */
export const randomAlphanumeric = (length: number): string => {
  const characters: Array<string> = []
  while (characters.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && characters.length < length) characters.push(keyAlphabet[byte % keyAlphabet.length] as string)
    }
  }
  return characters.join("")
}
