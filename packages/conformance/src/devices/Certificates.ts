/** X.509 certificates (RFC 5280) of P-256 keys in DER: a leaf and its own root, as an attacker would create them. */
import { createHash, createSign, generateKeyPairSync, type KeyObject } from "node:crypto"

/** The content of the leaf. */
export interface Leaf {
  readonly publicKey: KeyObject
  /** The address of its certificate revocation list. */
  readonly crl_url: string
  /** The attested hash in the extension for Android keys. */
  readonly challenge: Uint8Array
}

/** The leaf and its root. Both contain the address of a certificate revocation list. */
export const certificateChain = ({ challenge, crl_url, publicKey }: Leaf): ReadonlyArray<Buffer> => {
  const root = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const revocation = extension("551d1f", crlDistributionPoints(crl_url))
  const android = extension("2b06010401d679020111", keyDescription(challenge))
  return [
    certificate("leaf", publicKey, root.privateKey, [revocation, android]),
    certificate("root", root.publicKey, root.privateKey, [revocation])
  ]
}

const certificate = (
  subject: string,
  publicKey: KeyObject,
  issuerKey: KeyObject,
  extensions: ReadonlyArray<Buffer>
): Buffer => {
  const toBeSigned = sequence(
    tag(0xa0, integer(2)),
    // A unique serial number for each key.
    tag(0x02, Buffer.concat([Buffer.from([1]), createHash("sha1").update(spki(publicKey)).digest().subarray(0, 8)])),
    ecdsaWithSha256,
    name("root"),
    sequence(utcTime("200101000000Z"), utcTime("491231235959Z")),
    name(subject),
    spki(publicKey),
    tag(0xa3, sequence(...extensions))
  )
  const signature = createSign("sha256").update(toBeSigned).sign(issuerKey)
  return sequence(toBeSigned, ecdsaWithSha256, tag(0x03, Buffer.concat([Buffer.from([0]), signature])))
}

const tag = (type: number, ...contents: ReadonlyArray<Uint8Array>): Buffer => {
  const content = Buffer.concat(contents)
  const { length } = content
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([type, ...head]), content])
}

const sequence = (...contents: ReadonlyArray<Uint8Array>): Buffer => tag(0x30, ...contents)
const integer = (value: number): Buffer => tag(0x02, Buffer.from([value]))
const enumerated = (value: number): Buffer => tag(0x0a, Buffer.from([value]))
const octets = (bytes: Uint8Array): Buffer => tag(0x04, bytes)
const identifier = (hex: string): Buffer => tag(0x06, Buffer.from(hex, "hex"))
const utcTime = (text: string): Buffer => tag(0x17, Buffer.from(text))
const spki = (key: KeyObject): Buffer => key.export({ type: "spki", format: "der" })

const ecdsaWithSha256 = sequence(identifier("2a8648ce3d040302"))

const name = (commonName: string): Buffer =>
  sequence(tag(0x31, sequence(identifier("550403"), tag(0x0c, Buffer.from(commonName)))))

const extension = (id_hex: string, value: Uint8Array): Buffer => sequence(identifier(id_hex), octets(value))

const crlDistributionPoints = (url: string): Buffer =>
  sequence(sequence(tag(0xa0, tag(0xa0, tag(0x86, Buffer.from(url))))))

/** KeyDescription of Android's key attestation, version 3, with nothing enforced. */
const keyDescription = (challenge: Uint8Array): Buffer =>
  sequence(
    integer(3),
    enumerated(1),
    integer(4),
    enumerated(1),
    octets(challenge),
    octets(new Uint8Array()),
    sequence(),
    sequence()
  )
