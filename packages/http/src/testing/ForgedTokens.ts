/** Tokens of widget sessions that must not be taken, each for one reason. */
import type { WidgetSession } from "@postcode/core/WidgetSession"
import { Redacted } from "effect"
import { base64url, generateKeyPair, SignJWT } from "jose"
import type { SigningKey } from "../JoseSessionTokens.ts"
import { signingKeys } from "./SigningKeys.ts"

/** What is other in a token than in one that would be taken. An entry that is undefined is left out. */
interface Changes {
  readonly now_s: number
  readonly header?: Readonly<Record<string, unknown>>
  readonly claims?: Readonly<Record<string, unknown>>
}

/** A token as the service would sign it, but for the changes. */
export const signedBy = (key: SigningKey, session: WidgetSession, changes: Changes): Promise<string> =>
  new SignJWT(claimsOf(session, changes))
    .setProtectedHeader({ alg: "HS256", ...headerOf(key.id, changes) })
    .sign(new TextEncoder().encode(Redacted.value(key.secret)))

/** By what is wrong with them, given a session that is in force at that time. */
export const forgedTokens = async (
  session: WidgetSession,
  now_s: number
): Promise<Readonly<Record<string, string>>> => {
  const [present, former] = signingKeys
  const signed = (changes: Omit<Changes, "now_s">, key: SigningKey = present) =>
    signedBy(key, session, { now_s, ...changes })
  const good = await signed({})
  const [header = "", payload = "", signature = ""] = good.split(".")
  const claims = claimsOf(session, { now_s })
  const other = { id: present.id, secret: Redacted.make("another-secret-that-is-long-enough-to-sign-with") }
  return {
    ...(await otherClaims(signed, now_s)),
    ...(await otherHeaders(signed)),
    ...(await otherAlgorithms(session, now_s)),
    "signed with another secret under our key's id": await signed({}, other),
    "signed with our former key under the id of the present one": await signed({}, { ...former, id: present.id }),
    "altered: another subject": `${header}.${encoded({ ...claims, sub: "1:someone-else" })}.${signature}`,
    "altered: a later end": `${header}.${encoded({ ...claims, exp: now_s + 90_000 })}.${signature}`,
    "altered: the signature of another token": `${header}.${payload}.${(await signed({ claims: { sub: "1:b" } })).split(".")[2]}`,
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
  "not in force yet": await signed({ claims: { nbf: now_s + 600 } }),
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

const otherHeaders = async (signed: Sign): Promise<Tokens> => ({
  "of a key that nobody has": await signed({ header: { kid: "unknown" } }),
  "of a key by the name of what every object has": await signed({ header: { kid: "constructor" } }),
  "without a key id": await signed({ header: { kid: undefined } }),
  "of another type": await signed({ header: { typ: "JWT" } }),
  "without a type": await signed({ header: { typ: undefined } })
})

/** Each by an algorithm that others use, under our key's id. */
const otherAlgorithms = async (session: WidgetSession, now_s: number): Promise<Tokens> => {
  const [{ id, secret }] = signingKeys
  const claims = claimsOf(session, { now_s })
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

const claimsOf = (session: WidgetSession, { claims, now_s }: Changes): Record<string, unknown> => {
  const { identifier_hashes, key_id, organization_id, environment, origin } = session
  const [sub, ...former_sub] = identifier_hashes
  return withoutUndefined({
    sub,
    former_sub: former_sub.length === 0 ? undefined : former_sub,
    key_id,
    organization_id,
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
