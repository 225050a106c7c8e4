/** Secrets for tests: unique texts and hashes, and links that are sealed by writing the context before them. */
import { createHash } from "node:crypto"
import { unique } from "@postcode/conformance"
import { NoticeSecrets } from "@postcode/gateway/notices/NoticeSecrets"
import { Secrets } from "@postcode/gateway/store/Secrets"
import { Layer, Redacted } from "effect"

const sha256 = (text: Redacted.Redacted<string>): string =>
  createHash("sha256").update(Redacted.value(text)).digest("hex")

const layerSecrets = Layer.succeed(Secrets, {
  random: (length) => sha256(Redacted.make(unique("random"))).slice(0, length),
  hash: sha256,
  hashSent: (secret) => sha256(Redacted.make(secret)),
  hashIdentifier: (normalized) => `1:${sha256(normalized)}`,
  identifierHashes: (normalized) => [`1:${sha256(normalized)}`]
})

const layerNoticeSecrets = Layer.succeed(NoticeSecrets, {
  seal: (context, text) => `${context}~${Redacted.value(text)}`,
  open: (context, sealed) =>
    sealed.startsWith(`${context}~`) ? Redacted.make(sealed.slice(context.length + 1)) : undefined
})

export const layerTestSecrets: Layer.Layer<NoticeSecrets | Secrets> = Layer.merge(layerSecrets, layerNoticeSecrets)
