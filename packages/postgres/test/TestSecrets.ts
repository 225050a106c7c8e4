/** Secrets for tests: unique texts and hashes. */
import { createHash } from "node:crypto"
import { unique } from "@postcode/conformance"
import { Secrets } from "@postcode/gateway/store/Secrets"
import { Layer, Redacted } from "effect"

const sha256 = (text: Redacted.Redacted<string>): string =>
  createHash("sha256").update(Redacted.value(text)).digest("hex")

export const layerTestSecrets: Layer.Layer<Secrets> = Layer.succeed(Secrets, {
  random: (length) => sha256(Redacted.make(unique("random"))).slice(0, length),
  hash: sha256,
  hashSent: (secret) => sha256(Redacted.make(secret)),
  hashIdentifier: (normalized) => `1:${sha256(normalized)}`,
  identifierHashes: (normalized) => [`1:${sha256(normalized)}`]
})
