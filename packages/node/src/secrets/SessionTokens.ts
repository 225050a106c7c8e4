/**
 * The port `SessionTokens` with JWTs and HMAC-SHA-256. The same service signs and verifies them, so a shared secret is
 * enough. Signing is a few lines here. Verification handles untrusted input, so `jose` does it.
 */
import { createHmac, createSecretKey, webcrypto } from "node:crypto"
import { environments } from "@postcode/core/Credits"
import { isStrongSecret, strongSecretForm } from "@postcode/gateway/store/StrongSecret"
import { SessionTokens } from "@postcode/gateway/widget/sessions/SessionTokens"
import {
  invalidWidgetSession,
  sessionLifetime_s,
  type WidgetSession
} from "@postcode/gateway/widget/sessions/WidgetSession"
import { Clock, Effect, Layer, Redacted, Schema } from "effect"
import { type JWTPayload, jwtVerify } from "jose"
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
      const verifying = new Map(yield* Effect.promise(() => Promise.all(keys.map(verifyingKey))))
      const sign = signWith(keys[0])

      return SessionTokens.of({
        sign: (session) => Effect.sync(() => sign(session, clock.currentTimeMillisUnsafe())),
        verify: (token) =>
          Effect.tryPromise({
            try: () => verify(Redacted.value(token), verifying, clock.currentTimeMillisUnsafe()),
            catch: () => invalidWidgetSession
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

interface VerifyingKey {
  /** Valid only for this algorithm. */
  readonly signature: webcrypto.CryptoKey
  readonly subject: Buffer
}

type VerifyingKeys = ReadonlyMap<string, VerifyingKey>

const verifyingKey = async ({ id, secret }: SigningKey): Promise<readonly [string, VerifyingKey]> => {
  const bytes = new TextEncoder().encode(Redacted.value(secret))
  const hmac = { name: "HMAC", hash: "SHA-256" }
  const signature = await webcrypto.subtle.importKey("raw", bytes, hmac, false, ["sign", "verify"])
  return [id, { signature, subject: subjectKey(secret) }]
}

const subjectKey = (secret: SigningKey["secret"]): Buffer => boxKey(secret, "postcode widget session subject")

const keyOf = (keys: VerifyingKeys, id: string | undefined): VerifyingKey => {
  const key = id === undefined ? undefined : keys.get(id)
  if (key === undefined) throw invalidWidgetSession
  return key
}

/** Synchronous, because WebCrypto uses a thread for each token, which costs more than the rest of a session. */
const signWith = ({
  id,
  secret
}: SigningKey): ((session: WidgetSession, now_ms: number) => Redacted.Redacted<string>) => {
  const key = createSecretKey(Redacted.value(secret), "utf8")
  const sealingKey = subjectKey(secret)
  const header = encoded({ alg: algorithm, kid: id, typ: type })
  return (session, now_ms) => {
    const iat = Math.floor(now_ms / 1000)
    const exp = iat + sessionLifetime_s
    const signed = `${header}.${encoded({ ...claimsOf(session, sealingKey), iss: issuer, aud: audience, iat, exp })}`
    return Redacted.make(`${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}`)
  }
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url")

const verify = async (token: string, keys: VerifyingKeys, now_ms: number): Promise<WidgetSession> => {
  if (token.length > maxTokenLength || !tokenPattern.test(token)) throw invalidWidgetSession
  const { payload, protectedHeader } = await jwtVerify(token, ({ kid }) => keyOf(keys, kid).signature, {
    algorithms: [algorithm],
    typ: type,
    issuer,
    audience,
    requiredClaims: ["exp", "iat"],
    currentDate: new Date(now_ms)
  })
  return sessionOf(payload, keyOf(keys, protectedHeader.kid).subject)
}

const claimsOf = ({ environment, key_id, origin, shared_id, ...subject }: WidgetSession, key: Buffer): JWTPayload => ({
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

const sealSubject = ({ identifier_hashes, organization_id, proven }: Subject, key: Buffer): string => {
  const text = [organization_id, ...(proven ? [provenMark] : []), ...(identifier_hashes ?? [])].join(" ")
  if (text.length > subjectLength) throw new Error(`the subject of a session has ${text.length} characters`)
  return seal(key, audience, Buffer.from(text.padEnd(subjectLength))).toString("base64url")
}

const openSubject = (box: string, key: Buffer): Subject => {
  const opened = open(key, audience, Buffer.from(box, "base64url"))
  const [organization_id, ...others] = String(opened ?? "")
    .trimEnd()
    .split(" ")
  if (organization_id === undefined || organization_id === "") throw invalidWidgetSession
  const isProven = others[0] === provenMark
  const [present, ...former] = isProven ? others.slice(1) : others
  return {
    organization_id,
    identifier_hashes: present === undefined ? undefined : [present, ...former],
    ...(isProven && { proven: true as const })
  }
}

const Claims = Schema.Struct({
  sub: Schema.NonEmptyString,
  key_id: Schema.NonEmptyString,
  environment: Schema.Literals(environments),
  origin: Schema.optionalKey(Schema.NonEmptyString),
  jti: Schema.optionalKey(Schema.NonEmptyString)
})

const decodeClaims = Schema.decodeUnknownSync(Claims)

const sessionOf = (payload: JWTPayload, key: Buffer): WidgetSession => {
  const { environment, jti: shared_id, key_id, origin, sub } = decodeClaims(payload)
  return { key_id, environment, origin, ...openSubject(sub, key), ...(shared_id !== undefined && { shared_id }) }
}
