/**
 * Invalid tokens of widget sessions, each for one reason. They are created with `jose` and WebCrypto, which also tests
 * that the service's own encoding follows the specifications.
 */
import { webcrypto } from "node:crypto"
import type { WidgetSession } from "@postcode/gateway/widget/sessions/WidgetSession"
import type { SigningKey } from "@postcode/node/secrets"
import { Redacted } from "effect"
import { base64url, generateKeyPair, SignJWT } from "jose"
import { signingKeys } from "./SigningKeys.ts"

const { subtle } = webcrypto

/** The differences from a valid token. An undefined entry is removed. */
interface Changes {
  readonly now_s: number
  readonly header?: Readonly<Record<string, unknown>>
  readonly claims?: Readonly<Record<string, unknown>>
}

/** A token as the service would sign it, with changes. */
export const signedBy = async (key: SigningKey, session: WidgetSession, changes: Changes): Promise<string> =>
  new SignJWT(await claimsOf(key, session, changes))
    .setProtectedHeader({ alg: "HS256", ...headerOf(key.id, changes) })
    .sign(new TextEncoder().encode(Redacted.value(key.secret)))

/** The text of a subject, without padding. Rejects with another key. */
export const openSubject = async (key: SigningKey, subject: string): Promise<string> => {
  const bytes = base64url.decode(subject) as Uint8Array<ArrayBuffer>
  const [iv, tag, encrypted] = [bytes.subarray(0, 12), bytes.subarray(12, 28), bytes.subarray(28)]
  const box = Buffer.concat([encrypted, tag])
  return new TextDecoder().decode(await subtle.decrypt(gcm(iv), await subjectKey(key), box)).trimEnd()
}

/** A subject as the service would encrypt it. */
const sealSubject = async (key: SigningKey, text: string): Promise<string> => {
  const iv = webcrypto.getRandomValues(new Uint8Array(12))
  const plain = new TextEncoder().encode(text.padEnd(312))
  const sealed = Buffer.from(await subtle.encrypt(gcm(iv), await subjectKey(key), plain))
  return base64url.encode(Buffer.concat([iv, sealed.subarray(312), sealed.subarray(0, 312)]))
}

const gcm = (iv: Uint8Array<ArrayBuffer>) => ({
  name: "AES-GCM",
  iv,
  additionalData: new TextEncoder().encode("postcode-widget")
})

const subjectKey = async ({ secret }: SigningKey): Promise<webcrypto.CryptoKey> => {
  const encode = (text: string) => new TextEncoder().encode(text)
  const from = await subtle.importKey("raw", encode(Redacted.value(secret)), "HKDF", false, ["deriveKey"])
  const info = encode("postcode widget session subject")
  const derivation = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info }
  return subtle.deriveKey(derivation, from, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"])
}

/** Forged tokens by the reason, given a session that is valid at that time. */
export const forgedTokens = async (
  session: WidgetSession,
  now_s: number
): Promise<Readonly<Record<string, string>>> => {
  const [present, former] = signingKeys
  const signed = (changes: Omit<Changes, "now_s">, key: SigningKey = present) =>
    signedBy(key, session, { now_s, ...changes })
  const good = await signed({})
  const [header = "", payload = "", signature = ""] = good.split(".")
  const claims = await claimsOf(present, session, { now_s })
  const other = { id: present.id, secret: Redacted.make("another-secret-that-is-long-enough-to-sign-with") }
  return {
    ...(await otherClaims(signed, now_s)),
    ...(await otherSubjects(signed, session)),
    ...(await otherHeaders(signed)),
    ...(await otherAlgorithms(session, now_s)),
    "signed with another secret under our key's id": await signed({}, other),
    "signed with our former key under the id of the present one": await signed({}, { ...former, id: present.id }),
    "altered: another subject": `${header}.${encoded({ ...claims, sub: await sealSubject(present, "org_1 1:other") })}.${signature}`,
    "altered: a later end": `${header}.${encoded({ ...claims, exp: now_s + 90_000 })}.${signature}`,
    "altered: the signature of another token": `${header}.${payload}.${(await signed({})).split(".")[2]}`,
    "without a signature": `${header}.${payload}.`,
    "without its last part": `${header}.${payload}`,
    "with a part more": `${good}.${signature}`,
    "of five parts, as if encrypted": `${header}..${payload}.${payload}.${signature}`,
    "in JSON": JSON.stringify({ protected: header, payload, signature }),
    "with padding": `${good}=`,
    "oversized, and signed by us": await signed({ claims: { padding: "x".repeat(5_000) } }),
    "oversized garbage": "e".repeat(6_000),
    "an API key": `svc_pk_${"0".repeat(38)}`,
    garbage: "garbage",
    "garbage in three parts": "e30.e30.e30",
    dots: ".."
  }
}

type Sign = (changes: Omit<Changes, "now_s">) => Promise<string>
type Tokens = Readonly<Record<string, string>>

const otherClaims = async (signed: Sign, now_s: number): Promise<Tokens> => ({
  expired: await signed({ claims: { iat: now_s - 901, exp: now_s - 1 } }),
  "expired this second": await signed({ claims: { iat: now_s - 900, exp: now_s } }),
  "without an end": await signed({ claims: { exp: undefined } }),
  "with an end that is no number": await signed({ claims: { exp: "never" } }),
  "not valid yet": await signed({ claims: { nbf: now_s + 600 } }),
  "without a beginning": await signed({ claims: { iat: undefined } }),
  "for another audience": await signed({ claims: { aud: "postcode-console" } }),
  "without an audience": await signed({ claims: { aud: undefined } }),
  "of another issuer": await signed({ claims: { iss: "https://issuer.example" } }),
  "without an issuer": await signed({ claims: { iss: undefined } }),
  "without a subject": await signed({ claims: { sub: undefined } }),
  "with a subject that is no text": await signed({ claims: { sub: ["1:a"] } }),
  "without a key": await signed({ claims: { key_id: undefined } }),
  "of an environment that there is not": await signed({ claims: { environment: "staging" } }),
  "with an origin that is no text": await signed({ claims: { origin: 1 } })
})

/** Signed with a valid key, but with a subject that the service would not encrypt. */
const otherSubjects = async (signed: Sign, session: WidgetSession): Promise<Tokens> => {
  const [present, former] = signingKeys
  const { identifier_hashes = [], organization_id } = session
  const text = [organization_id, ...identifier_hashes].join(" ")
  const sealed = await sealSubject(present, text)
  const bytes = base64url.decode(sealed)
  const withBit = (i: number) => base64url.encode(bytes.map((byte, at) => (at === i ? byte ^ 1 : byte)))
  const subjects: Readonly<Record<string, string>> = {
    "in the clear": identifier_hashes[0] ?? "",
    "in the clear, filled up": base64url.encode(text.padEnd(340)),
    "encrypted under our former key": await sealSubject(former, text),
    "with another nonce": withBit(0),
    "with another tag": withBit(12),
    "with another first character": withBit(28),
    "with another last character": withBit(bytes.length - 1),
    "that is cut off": base64url.encode(bytes.subarray(0, -1)),
    "that is longer": base64url.encode(Buffer.concat([bytes, Buffer.from([0])])),
    "shorter than its nonce": base64url.encode(bytes.subarray(0, 8)),
    "that is empty": "",
    "of spaces": await sealSubject(present, "")
  }
  const tokens = Object.entries(subjects).map(
    async ([what, sub]) => [`with a subject ${what}`, await signed({ claims: { sub } })] as const
  )
  return Object.fromEntries(await Promise.all(tokens))
}

const otherHeaders = async (signed: Sign): Promise<Tokens> => ({
  "of a key that nobody has": await signed({ header: { kid: "unknown" } }),
  "of a key by the name of what every object has": await signed({ header: { kid: "constructor" } }),
  "without a key id": await signed({ header: { kid: undefined } }),
  "of another type": await signed({ header: { typ: "JWT" } }),
  "without a type": await signed({ header: { typ: undefined } })
})

/** Signed with another algorithm, under the id of a valid key. */
const otherAlgorithms = async (session: WidgetSession, now_s: number): Promise<Tokens> => {
  const [key] = signingKeys
  const { id, secret } = key
  const claims = await claimsOf(key, session, { now_s })
  const header = headerOf(id, { now_s })
  const bytes = new TextEncoder().encode(Redacted.value(secret))
  const { privateKey } = await generateKeyPair("EdDSA")
  const unsigned = (alg: string) => `${encoded({ alg, ...header })}.${encoded(claims)}.`
  return {
    "of no algorithm": unsigned("none"),
    "of no algorithm, written otherwise": unsigned("nOnE"),
    "of HS512 with our own secret": await new SignJWT(claims)
      .setProtectedHeader({ alg: "HS512", ...header })
      .sign(bytes),
    "of EdDSA": await new SignJWT(claims).setProtectedHeader({ alg: "EdDSA", ...header }).sign(privateKey)
  }
}

const headerOf = (kid: string, { header }: Changes): Record<string, unknown> =>
  withoutUndefined({ kid, typ: "widget-session+jwt", ...header })

const claimsOf = async (
  key: SigningKey,
  session: WidgetSession,
  { claims, now_s }: Changes
): Promise<Record<string, unknown>> => {
  const { identifier_hashes = [], key_id, organization_id, environment, origin } = session
  return withoutUndefined({
    sub: await sealSubject(key, [organization_id, ...identifier_hashes].join(" ")),
    key_id,
    environment,
    origin,
    iss: "postcode-gateway",
    aud: "postcode-widget",
    iat: now_s,
    exp: now_s + 900,
    ...claims
  })
}

const withoutUndefined = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const encoded = (value: unknown): string => base64url.encode(JSON.stringify(value))
