/**
 * The port `ProofKeys` on Node. Keys are sealed with AES-256-GCM under keys that are derived from the peppers, as secrets of
 * webhooks are. `jose` verifies tokens, which are untrusted input.
 */
import { type KeyObject, randomBytes } from "node:crypto"
import { ProofKeys } from "@postcode/gateway/widget/endUsers/ProofKeys"
import { Effect, Layer, Redacted } from "effect"
import { compactVerify } from "jose"
import type { Pepper } from "./Pepper.ts"
import { boxKey, open, seal } from "./SealedBox.ts"

/**
 * @param pepper the current one, which seals
 * @param former previous ones, which can still open
 */
export const layerProofKeys = (pepper: Pepper, former: ReadonlyArray<Pepper>): Layer.Layer<ProofKeys> => {
  const keys = new Map([pepper, ...former].map((one) => [String(one.version), keyOf(one)]))
  const present = { version: String(pepper.version), key: keyOf(pepper) }

  const opened = (sealed: string, organization_id: string): ReadonlyArray<Buffer> => {
    const [version = "", box = ""] = sealed.split(":")
    const key = keys.get(version)
    const secret = key && open(key, organization_id, Buffer.from(box, "base64"))
    return secret === undefined ? [] : [secret]
  }

  return Layer.succeed(ProofKeys, {
    make: (organization_id) => {
      const secret = `svc_proof_${randomBytes(secretLength_bytes).toString("base64url")}`
      const box = seal(present.key, organization_id, Buffer.from(secret))
      return { secret: Redacted.make(secret), sealed: `${present.version}:${box.toString("base64")}` }
    },
    read: (sealed, organization_id, token) =>
      Effect.promise(() =>
        readClaims(
          Redacted.value(token),
          sealed.flatMap((one) => opened(one, organization_id))
        )
      )
  })
}

/**
 * The claims of a JWT with HS256 under one of the keys, in its only canonical encoding; undefined for anything else.
 */
export const readClaims = async (token: string, keys: ReadonlyArray<Uint8Array>): Promise<unknown> => {
  if (token.length > maxTokenLength || !tokenPattern.test(token)) return undefined
  for (const key of keys) {
    try {
      const { payload, protectedHeader } = await compactVerify(token, key, { algorithms: ["HS256"] })
      const { typ = "JWT" } = protectedHeader
      return typ === "JWT" ? JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload)) : undefined
    } catch {
      // Not signed with this key, or malformed.
    }
  }
  return undefined
}

const secretLength_bytes = 32

/** Enough for the claims of a proof, with any identifier. */
const maxTokenLength = 2048

/** Three parts of base64url; the last two bits of the signature are 0, so that a token has one form. */
const tokenPattern = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/

const keyOf = ({ secret }: Pepper): KeyObject => boxKey(secret, "postcode proof keys")
