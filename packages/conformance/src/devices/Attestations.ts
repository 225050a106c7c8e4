/** Malicious attestation statements of a passkey, in each format of WebAuthn. */
import { createSign } from "node:crypto"
import type { CborValue } from "./Cbor.ts"
import { certificateChain } from "./Certificates.ts"
import type { Attest } from "./SoftAuthenticator.ts"

/** The formats of attestation statements that WebAuthn defines. */
export const attestationFormats = [
  "none",
  "packed",
  "fido-u2f",
  "android-key",
  "android-safetynet",
  "apple",
  "tpm"
] as const

/** An attestation in a format, with a chain of certificates that contains an address. */
export const attestationBy =
  (format: (typeof attestationFormats)[number], crl_url: string): Attest =>
  ({ authData, clientDataHash, privateKey, publicKey }) => {
    const x5c = certificateChain({ publicKey, crl_url, challenge: clientDataHash })
    const sig = createSign("sha256")
      .update(Buffer.concat([authData, clientDataHash]))
      .sign(privateKey)
    const statements: Readonly<Record<typeof format, ReadonlyArray<readonly [string, CborValue]>>> = {
      none: [["x5c", x5c]],
      packed: [
        ["alg", -7],
        ["sig", sig],
        ["x5c", x5c]
      ],
      "fido-u2f": [
        ["sig", sig],
        ["x5c", x5c.slice(0, 1)]
      ],
      "android-key": [
        ["alg", -7],
        ["sig", sig],
        ["x5c", x5c]
      ],
      "android-safetynet": [
        ["ver", "1"],
        ["response", safetyNet(x5c)]
      ],
      apple: [["x5c", x5c]],
      tpm: [
        ["ver", "2.0"],
        ["alg", -7],
        ["sig", sig],
        ["x5c", x5c],
        ["certInfo", sig],
        ["pubArea", sig]
      ]
    }
    return { format, statement: new Map(statements[format]) }
  }

/** A token with the certificates in its header. */
const safetyNet = (x5c: ReadonlyArray<Buffer>): Buffer => {
  const head = { alg: "ES256", x5c: x5c.map((certificate) => certificate.toString("base64")) }
  const parts = [head, { nonce: "", ctsProfileMatch: true, timestampMs: 0 }].map((part) =>
    base64url(JSON.stringify(part))
  )
  return Buffer.from([...parts, base64url("signature")].join("."))
}

const base64url = (text: string): string => Buffer.from(text).toString("base64url")
