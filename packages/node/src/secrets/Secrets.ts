/** The ports `Secrets`, `Passwords`, `PasskeyCeremonies`, `WebhookSecrets`, `NoticeSecrets` and `ProofKeys` on Node. */

import { createHmac, createSecretKey, hash, randomFillSync } from "node:crypto"
import type { Passwords } from "@postcode/gateway/accounts/Passwords"
import type { PasskeyCeremonies } from "@postcode/gateway/accounts/passkeys/PasskeyCeremonies"
import { keyAlphabet } from "@postcode/gateway/keys/ApiKey"
import type { NoticeSecrets } from "@postcode/gateway/notices/NoticeSecrets"
import { Secrets } from "@postcode/gateway/store/Secrets"
import type { WebhookSecrets } from "@postcode/gateway/webhooks/WebhookSecrets"
import type { ProofKeys } from "@postcode/gateway/widget/endUsers/ProofKeys"
import { Layer, Redacted } from "effect"
import { layerNoticeSecrets } from "./NoticeSecrets.ts"
import { layerNodePasskeys } from "./Passkeys.ts"
import { layerNodePasswords } from "./Passwords.ts"
import { assertPeppers, type Pepper } from "./Pepper.ts"
import { layerProofKeys } from "./ProofKeys.ts"
import { layerWebhookSecrets } from "./WebhookSecrets.ts"

/**
 * An invalid pepper or a repeated version is a defect that names it.
 *
 * @param pepper the current one
 * @param former previous ones whose hashes may still be stored, 3 at most
 */
export const layerNodeSecrets = (
  pepper: Pepper,
  former: ReadonlyArray<Pepper> = []
): Layer.Layer<NoticeSecrets | PasskeyCeremonies | Passwords | ProofKeys | Secrets | WebhookSecrets> =>
  Layer.suspend(() => {
    assertPeppers([pepper, ...former])
    return Layer.mergeAll(
      layerSecrets(pepper, former),
      layerNodePasswords(),
      layerNodePasskeys,
      layerWebhookSecrets(pepper, former),
      layerNoticeSecrets(pepper, former),
      layerProofKeys(pepper, former)
    )
  })

const layerSecrets = (pepper: Pepper, former: ReadonlyArray<Pepper>): Layer.Layer<Secrets> => {
  const hashIdentifier = hashWith(pepper)
  const formerHashes = former.map(hashWith)
  return Layer.succeed(Secrets, {
    random: randomAlphanumeric,
    hash: (secret) => hash("sha256", Redacted.value(secret)),
    hashSent: (secret) => hash("sha256", secret),
    hashIdentifier,
    identifierHashes: (normalized) => [hashIdentifier(normalized), ...formerHashes.map((hash) => hash(normalized))]
  })
}

const hashWith = ({ secret, version }: Pepper): ((normalized: Redacted.Redacted<string>) => string) => {
  const key = createSecretKey(Redacted.value(secret), "utf8")
  return (normalized) => `${version}:${createHmac("sha256", key).update(Redacted.value(normalized)).digest("hex")}`
}

/** Uniformly random characters of `[0-9A-Za-z]`: bytes of 248 and above are discarded to avoid a bias. */
export const randomAlphanumeric = (length: number): string => {
  let out = ""
  while (out.length < length) {
    const byte = randomByte()
    if (byte < 248) out += keyAlphabet[byte % keyAlphabet.length]
  }
  return out
}

/** Filled in one call, because a call for each byte would cost more than its use. */
const randomPool = new Uint8Array(4096)
let taken = randomPool.length

/** An unused byte. It is wiped from the pool, because secrets consist of these bytes. */
const randomByte = (): number => {
  if (taken === randomPool.length) {
    randomFillSync(randomPool)
    taken = 0
  }
  const byte = randomPool[taken] as number
  randomPool[taken++] = 0
  return byte
}
