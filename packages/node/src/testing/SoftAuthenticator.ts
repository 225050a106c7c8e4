/**
 * A device that makes and uses one passkey, in software: a real key on P-256, and the bytes of WebAuthn Level 3, written
 * by hand. What it answers can be told to be wrong.
 */
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto"
import { type CborValue, encodeCbor } from "./Cbor.ts"

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
  /** What the device calls the new passkey, in base64url. */
  readonly credential_id?: string
}

/** What a service sends to have a passkey made or used, as far as the device reads it. */
export interface ChallengeOptions {
  readonly challenge: string
}

/** What an attestation statement is made from. */
export interface Attested {
  readonly authData: Buffer
  readonly clientDataHash: Buffer
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

/** Makes the statement by which a device attests a new passkey. */
export type Attest = (attested: Attested) => {
  readonly format: string
  readonly statement: ReadonlyMap<string, CborValue>
}

/** What browsers give where no attestation is asked for. */
const noAttestation: Attest = () => ({ format: "none", statement: new Map() })

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
  create({ challenge }: ChallengeOptions, wrong: Misbehaviour = {}, attest: Attest = noAttestation): object {
    const id = Buffer.from(wrong.credential_id ?? this.credential_id, "base64url")
    const authData = Buffer.concat([
      this.head(wrong, attested),
      Buffer.alloc(16),
      Buffer.from([id.length >> 8, id.length & 0xff]),
      id,
      this.publicKey()
    ])
    const clientData = this.clientData("webauthn.create", challenge, wrong)
    const { format, statement } = attest({ ...this.keys, authData, clientDataHash: sha256(clientData) })
    return this.createdAs(
      clientData,
      encodeCbor(
        new Map<string, CborValue>([
          ["fmt", format],
          ["attStmt", statement],
          ["authData", authData]
        ])
      )
    )
  }

  /** An answer to a challenge for a new passkey whose attestation object is just these bytes. */
  createFrom({ challenge }: ChallengeOptions, attestationObject: Uint8Array): object {
    return this.createdAs(this.clientData("webauthn.create", challenge, {}), attestationObject)
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

  private createdAs(clientData: Buffer, attestationObject: Uint8Array): object {
    return this.credential({
      clientDataJSON: base64url(clientData),
      attestationObject: base64url(Buffer.from(attestationObject))
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
    return encodeCbor(
      new Map<number, CborValue>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, "base64url")],
        [-3, Buffer.from(y, "base64url")]
      ])
    )
  }
}

/** The flag that says that a credential follows. */
const attested = 0x40

const sha256 = (bytes: Buffer): Buffer => createHash("sha256").update(bytes).digest()

const base64url = (bytes: Buffer): string => bytes.toString("base64url")
