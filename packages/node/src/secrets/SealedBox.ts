/**
 * Authenticated encryption of small values: AES-256-GCM with a random nonce, under keys derived from a secret by
 * purpose.
 */
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from "node:crypto"
import { Redacted } from "effect"

/** A key for one purpose, independent of the other keys that are derived from the secret. */
export const boxKey = (secret: Redacted.Redacted<string>, purpose: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync("sha256", Redacted.value(secret), "", purpose, 32)))

/** Nonce, tag and the encrypted bytes, bound to a context: they cannot be opened in another one. */
export const seal = (key: KeyObject, context: string, bytes: Buffer): Buffer => {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(context))
  const encrypted = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted])
}

/** Undefined if the box was sealed with another key or in another context, or was changed. */
export const open = (key: KeyObject, context: string, box: Buffer): Buffer | undefined => {
  try {
    const decipher = createDecipheriv(algorithm, key, box.subarray(0, nonceLength), { authTagLength: tagLength })
      .setAAD(Buffer.from(context))
      .setAuthTag(box.subarray(nonceLength, nonceLength + tagLength))
    return Buffer.concat([decipher.update(box.subarray(nonceLength + tagLength)), decipher.final()])
  } catch {
    return undefined
  }
}

const algorithm = "aes-256-gcm"
const nonceLength = 12
const tagLength = 16
