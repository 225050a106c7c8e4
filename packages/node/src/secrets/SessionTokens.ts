/**
 * The port `SessionTokens` with JWTs and HMAC-SHA-256. The same service signs and verifies them, so a shared secret is
 * enough, and a header has one form for each key. Nothing of a token is decoded before its signature is verified.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto"
import { environments } from "@postcode/core/Credits"
import { isStrongSecret, strongSecretForm } from "@postcode/gateway/store/StrongSecret"
import { SessionTokens } from "@postcode/gateway/widget/sessions/SessionTokens"
import {
  invalidWidgetSession,
  sessionLifetime_s,
  type WidgetSession
} from "@postcode/gateway/widget/sessions/WidgetSession"
import { Clock, Effect, Layer, Option, Redacted, Schema } from "effect"
import { maxPeppers } from "./Pepper.ts"
import { boxKey, open, seal } from "./SealedBox.ts"

/** A secret that signs tokens, and its id in a token. */
export interface SigningKey {
  /** 1 to 32 characters of `[A-Za-z0-9_-]`; part of every token. */
  readonly id: string
  /** 32 to 512 printable ASCII characters without spaces, and no repetition. */
  readonly secret: Redacted.Redacted<string>
}

/** The key that signs, followed by the other keys whose tokens are valid. */
export type SigningKeys = readonly [signing: SigningKey, ...others: ReadonlyArray<SigningKey>]

/** Whether a text may be the id of a signing key. */
export const isSigningKeyId = (text: string): boolean => /^[A-Za-z0-9_-]{1,32}$/.test(text)

/**
 * Tokens with signing keys. To rotate keys without ending a session, first add the new key after the old one on every
 * replica, then move it to the first place, and remove the old one after its tokens have expired.
 *
 * An invalid key or a repeated id is a defect that names it.
 */
export const layerSessionTokens = (keys: SigningKeys): Layer.Layer<SessionTokens> =>
  Layer.effect(
    SessionTokens,
    Effect.gen(function* () {
      assertSessionKeys(keys)
      const clock = yield* Clock.Clock
      const signers = keys.map(signerOf)
      const sign = signWith(signers[0] as Signer)
      const verified = new VerifiedTokens(new Map(signers.map((signer) => [signer.header, signer])))

      return SessionTokens.of({
        sign: (session) => Effect.sync(() => sign(session, clock.currentTimeMillisUnsafe())),
        verify: (token) =>
          Effect.suspend(() => {
            const session = verified.sessionOf(Redacted.value(token), clock.currentTimeMillisUnsafe())
            return session === undefined ? Effect.fail(invalidWidgetSession) : Effect.succeed(session)
          })
      })
    })
  )

const algorithm = "HS256"
const issuer = "postcode-gateway"
const audience = "postcode-widget"
const type = "widget-session+jwt"

/** Longer than any token of this service, with any origin and number of peppers. */
const maxTokenLength = 4096

/**
 * Three canonical parts of base64url. Decoders also accept padding and ignore the last two bits of a signature, so a
 * token would have several valid forms.
 */
const tokenPattern = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/

/**
 * Refuses keys that are weak, or that have an invalid or repeated id.
 *
 * @throws Error that names the invalid key and the expected value
 */
export const assertSessionKeys = (keys: ReadonlyArray<SigningKey>): void => {
  for (const [i, { id, secret }] of keys.entries()) {
    if (!isSigningKeyId(id)) throw new Error(`session keys, ${i}: expected an id of 1 to 32 characters of A-Za-z0-9_-`)
    if (!isStrongSecret(Redacted.value(secret))) throw new Error(`session key ${id}: expected ${strongSecretForm}`)
  }
  if (new Set(keys.map(({ id }) => id)).size < keys.length) throw new Error("session keys: expected each id once")
}

/** A key, ready for use. */
interface Signer {
  /** The first part of its tokens. */
  readonly header: string
  readonly signature: KeyObject
  readonly subject: KeyObject
}

const signerOf = ({ id, secret }: SigningKey): Signer => ({
  header: encoded({ alg: algorithm, kid: id, typ: type }),
  signature: createSecretKey(Redacted.value(secret), "utf8"),
  subject: boxKey(secret, "postcode widget session subject")
})

const signWith =
  (signer: Signer) =>
  (session: WidgetSession, now_ms: number): Redacted.Redacted<string> => {
    const iat = Math.floor(now_ms / 1000)
    const exp = iat + sessionLifetime_s
    const claims: Claims = { ...claimsOf(session, signer.subject), iss: issuer, aud: audience, iat, exp }
    const signed = `${signer.header}.${encoded(claims)}`
    return Redacted.make(`${signed}.${signatureOf(signed, signer).toString("base64url")}`)
  }

/** Synchronous, because WebCrypto uses a thread for each token, which costs more than the rest of a request. */
const signatureOf = (signed: string, { signature }: Signer): Buffer =>
  createHmac("sha256", signature).update(signed).digest()

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url")

interface Verified {
  readonly session: WidgetSession
  /** End of its validity, in seconds. */
  readonly exp: number
}

/** Verifies tokens, and remembers the sessions of the last `maxVerified`: a widget sends its token with each keystroke. */
class VerifiedTokens {
  readonly #signers: ReadonlyMap<string, Signer>
  /** The most recently used last. */
  readonly #known = new Map<string, Verified>()

  constructor(signers: ReadonlyMap<string, Signer>) {
    this.#signers = signers
  }

  /** Undefined if the token is not valid at that time, for any reason. */
  sessionOf(token: string, now_ms: number): WidgetSession | undefined {
    const verified = this.#known.get(token) ?? verify(token, this.#signers)
    this.#known.delete(token)
    if (verified === undefined || verified.exp <= Math.floor(now_ms / 1000)) return undefined
    this.#known.set(token, verified)
    if (this.#known.size > maxVerified) this.#known.delete(this.#known.keys().next().value as string)
    return verified.session
  }
}

/** With tokens of the usual length below 5 MB, with the longest 20 MB. */
const maxVerified = 4096

const verify = (token: string, signers: ReadonlyMap<string, Signer>): Verified | undefined => {
  if (token.length > maxTokenLength || !tokenPattern.test(token)) return undefined
  const [headerEnd, signedEnd] = [token.indexOf("."), token.lastIndexOf(".")]
  const signer = signers.get(token.slice(0, headerEnd))
  if (signer === undefined) return undefined
  const signature = Buffer.from(token.slice(signedEnd + 1), "base64url")
  if (!timingSafeEqual(signature, signatureOf(token.slice(0, signedEnd), signer))) return undefined
  const claims = decodeClaims(Buffer.from(token.slice(headerEnd + 1, signedEnd), "base64url").toString())
  if (Option.isNone(claims)) return undefined
  const session = sessionOf(claims.value, signer.subject)
  return session && { session, exp: claims.value.exp }
}

const claimsOf = ({ environment, key_id, origin, shared_id, ...subject }: WidgetSession, key: KeyObject) => ({
  sub: sealSubject(subject, key),
  key_id,
  environment,
  ...(origin !== undefined && { origin }),
  ...(shared_id !== undefined && { jti: shared_id })
})

/**
 * The organization and end user of a token, the latter if it has an identifier. Encrypted, because an identifier could be guessed from its hash if a pepper
 * leaked, and padded, so that the tokens of all end users have the same length.
 */
type Subject = Pick<WidgetSession, "identifier_hashes" | "organization_id" | "proven">

/** Follows the organization's id in the token of a session with a proof. No hash looks like it. */
const provenMark = "proven"

/** Maximum length: an organization's id, the mark, and a hash under each pepper, separated by spaces. */
const subjectLength = 24 + ` ${provenMark}`.length + maxPeppers * " 999999:".length + maxPeppers * 64

const sealSubject = ({ identifier_hashes, organization_id, proven }: Subject, key: KeyObject): string => {
  const text = [organization_id, ...(proven ? [provenMark] : []), ...(identifier_hashes ?? [])].join(" ")
  if (text.length > subjectLength) throw new Error(`the subject of a session has ${text.length} characters`)
  return seal(key, audience, Buffer.from(text.padEnd(subjectLength))).toString("base64url")
}

const openSubject = (box: string, key: KeyObject): Subject | undefined => {
  const opened = open(key, audience, Buffer.from(box, "base64url"))
  const [organization_id, ...others] = String(opened ?? "")
    .trimEnd()
    .split(" ")
  if (organization_id === undefined || organization_id === "") return undefined
  const isProven = others[0] === provenMark
  const [present, ...former] = isProven ? others.slice(1) : others
  return {
    organization_id,
    identifier_hashes: present === undefined ? undefined : [present, ...former],
    ...(isProven && { proven: true as const })
  }
}

const Claims = Schema.Struct({
  iss: Schema.Literal(issuer),
  aud: Schema.Literal(audience),
  iat: Schema.Int,
  exp: Schema.Int,
  /** Not issued, so a token that becomes valid later is not ours. */
  nbf: Schema.optionalKey(Schema.Never),
  sub: Schema.NonEmptyString,
  key_id: Schema.NonEmptyString,
  environment: Schema.Literals(environments),
  origin: Schema.optionalKey(Schema.NonEmptyString),
  jti: Schema.optionalKey(Schema.NonEmptyString)
})

type Claims = typeof Claims.Type

const decodeClaims = Schema.decodeUnknownOption(Schema.fromJsonString(Claims))

const sessionOf = (
  { environment, jti: shared_id, key_id, origin, sub }: Claims,
  key: KeyObject
): WidgetSession | undefined => {
  const subject = openSubject(sub, key)
  return subject && { key_id, environment, origin, ...subject, ...(shared_id !== undefined && { shared_id }) }
}
