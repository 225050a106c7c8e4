/**
 * A software authenticator with one passkey: a real P-256 key and an independent encoding of WebAuthn Level 3. Tests
 * can make its answers invalid.
 */
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto"
import { type CborValue, encodeCbor } from "./Cbor.ts"

/** Invalid values for an answer. */
export interface Misbehaviour {
  readonly type?: string
  readonly challenge?: string
  readonly origin?: string
  readonly crossOrigin?: boolean
  /** The host in the authenticator data. */
  readonly host?: string
  /** The flags for user presence and user verification. */
  readonly present?: boolean
  readonly verified?: boolean
  readonly counter?: number
  /** The id of the new passkey, in base64url. */
  readonly credential_id?: string
}

/** The options of the service that the device reads. */
export interface ChallengeOptions {
  readonly challenge: string
}

/** The input of an attestation statement. */
export interface Attested {
  readonly authData: Buffer
  readonly clientDataHash: Buffer
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

/** Creates the attestation statement of a new passkey. */
export type Attest = (attested: Attested) => {
  readonly format: string
  readonly statement: ReadonlyMap<string, CborValue>
}

/** Browsers send this if no attestation is requested. */
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

  /** An answer to a challenge for a new passkey with this attestation object. */
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
    // Browsers decode the challenge and encode its bytes again.
    const bytes = Buffer.from(wrong.challenge ?? challenge, "base64url")
    return Buffer.from(JSON.stringify({ type: wrong.type ?? type, challenge: base64url(bytes), origin, crossOrigin }))
  }

  /** The start of authenticator data: hash of the host, flags and counter. */
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

/** The flag for attested credential data. */
const attested = 0x40

const sha256 = (bytes: Buffer): Buffer => createHash("sha256").update(bytes).digest()

const base64url = (bytes: Buffer): string => bytes.toString("base64url")
