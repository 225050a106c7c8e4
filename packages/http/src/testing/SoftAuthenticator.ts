/**
 * A device that makes and uses one passkey, in software: a real key on P-256, and the bytes of WebAuthn Level 3, written
 * by hand. What it answers can be told to be wrong.
 */
import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto"

/** What of an answer is not as it should be. */
export interface Misbehaviour {
  readonly type?: string
  readonly challenge?: string
  readonly origin?: string
  readonly crossOrigin?: boolean
  /** The host that the passkey is said to be bound to. */
  readonly host?: string
  /** Whether the person was there, and was seen to be the one. */
  readonly present?: boolean
  readonly verified?: boolean
  readonly counter?: number
}

/** What a service sends to have a passkey made or used, as far as the device reads it. */
export interface ChallengeOptions {
  readonly challenge: string
}

/** A device with one passkey, for pages of one origin. */
export class SoftAuthenticator {
  readonly origin: string
  readonly credential_id = randomBytes(16).toString("base64url")
  private readonly keys = generateKeyPairSync("ec", { namedCurve: "P-256" })
  private counter = 0

  constructor(origin: string) {
    this.origin = origin
  }

  /** The answer to a challenge for a new passkey. */
  create({ challenge }: ChallengeOptions, wrong: Misbehaviour = {}): object {
    const authData = Buffer.concat([
      this.head(wrong, attested),
      Buffer.alloc(16),
      Buffer.from([0, 16]),
      Buffer.from(this.credential_id, "base64url"),
      this.publicKey()
    ])
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      text("fmt"),
      text("none"),
      text("attStmt"),
      Buffer.from([0xa0]),
      text("authData"),
      byteString(authData)
    ])
    return this.credential({
      clientDataJSON: base64url(this.clientData("webauthn.create", challenge, wrong)),
      attestationObject: base64url(attestationObject)
    })
  }

  /** The answer to a challenge to sign in. */
  get({ challenge }: ChallengeOptions, wrong: Misbehaviour = {}): object {
    this.counter++
    const authData = this.head(wrong, 0)
    const clientData = this.clientData("webauthn.get", challenge, wrong)
    const signature = createSign("sha256")
      .update(Buffer.concat([authData, sha256(clientData)]))
      .sign(this.keys.privateKey)
    return this.credential({
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(authData),
      signature: base64url(signature)
    })
  }

  private credential(response: object): object {
    return {
      id: this.credential_id,
      rawId: this.credential_id,
      type: "public-key",
      response,
      clientExtensionResults: {}
    }
  }

  private clientData(type: string, challenge: string, wrong: Misbehaviour): Buffer {
    const { origin = this.origin, crossOrigin = false } = wrong
    // As browsers do: they read the challenge, and write its bytes anew.
    const bytes = Buffer.from(wrong.challenge ?? challenge, "base64url")
    return Buffer.from(JSON.stringify({ type: wrong.type ?? type, challenge: base64url(bytes), origin, crossOrigin }))
  }

  /** What authenticator data begins with: whose it is, what the device saw, and how often it was used. */
  private head({ counter, host, present = true, verified = true }: Misbehaviour, more: number): Buffer {
    const flags = (present ? 0x01 : 0) | (verified ? 0x04 : 0) | more
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter ?? this.counter)
    return Buffer.concat([sha256(Buffer.from(host ?? new URL(this.origin).hostname)), Buffer.from([flags]), count])
  }

  /** As a COSE key: ES256 on P-256. */
  private publicKey(): Buffer {
    const { x = "", y = "" } = this.keys.publicKey.export({ format: "jwk" })
    return Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      byteString(Buffer.from(x, "base64url")),
      Buffer.from([0x22]),
      byteString(Buffer.from(y, "base64url"))
    ])
  }
}

/** The flag that says that a credential follows. */
const attested = 0x40

const sha256 = (bytes: Buffer): Buffer => createHash("sha256").update(bytes).digest()

const base64url = (bytes: Buffer): string => bytes.toString("base64url")

/** Short texts and byte strings in CBOR. */
const text = (value: string): Buffer => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
const byteString = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([0x58, bytes.length]), bytes])
