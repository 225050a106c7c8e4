import { generateKeyPairSync } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { dies, failsWith, type KeyNames, sessionTokensSuite } from "@postcode/conformance"
import { forgedTokens, openSubject, signedBy, signingKeys } from "@postcode/conformance/devices"
import { SessionTokens } from "@postcode/gateway/widget/sessions/SessionTokens"
import { layerSessionTokens, type SigningKey, type SigningKeys } from "@postcode/node/secrets"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { decodeJwt, decodeProtectedHeader } from "jose"

const key = (id: string): SigningKey => ({
  id,
  secret: Redacted.make(`the-secret-of-the-signing-key-called-${id}`)
})

sessionTokensSuite("by HMAC", ([signing, ...others]: KeyNames) =>
  layerSessionTokens([key(signing), ...others.map(key)])
)

const session = {
  key_id: "key_1",
  organization_id: "org_1",
  environment: "test",
  identifier_hashes: ["2:present", "1:former"],
  origin: "https://shop.example"
} as const

const signed = Effect.map(
  Effect.flatMap(SessionTokens, ({ sign }) => sign(session)),
  Redacted.value
)

describe("a token by HMAC", () => {
  it.effect("names its key, its one algorithm, its type, issuer, audience and lifetime", () =>
    Effect.gen(function* () {
      const token = yield* signed
      assert.deepStrictEqual(decodeProtectedHeader(token), { alg: "HS256", kid: "present", typ: "widget-session+jwt" })
      const { sub = "", ...claims } = decodeJwt(token)
      assert.match(sub, /^[A-Za-z0-9_-]+$/)
      assert.deepStrictEqual(claims, {
        iss: "postcode-gateway",
        aud: "postcode-widget",
        key_id: "key_1",
        environment: "test",
        origin: "https://shop.example",
        iat: 0,
        exp: 900
      })
    }).pipe(Effect.provide(layerSessionTokens(signingKeys)))
  )

  it.effect("shows nothing of the identifier or the organization, in no encoding", () =>
    Effect.gen(function* () {
      const { sign } = yield* SessionTokens
      const organization_id = "org_AbCdEfGhIjKlMnOpQrSt"
      const digest = Buffer.from("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843", "hex")
      const identifier_hashes = [`7:${digest.toString("hex")}`] as const
      const token = Redacted.value(yield* sign({ ...session, organization_id, identifier_hashes }))
      const [, payload = ""] = token.split(".")
      const plain = Buffer.from(payload, "base64url")
      const subject = Buffer.from(decodeJwt(token).sub ?? "", "base64url")
      for (const shown of [Buffer.from(token), plain, subject]) {
        for (const hidden of [digest, digest.toString("hex"), digest.toString("base64url"), organization_id]) {
          assert.isFalse(shown.includes(hidden))
        }
      }
    }).pipe(Effect.provide(layerSessionTokens(signingKeys)))
  )

  it.effect("has a subject that only the key of the token decrypts", () =>
    Effect.gen(function* () {
      const { sub } = decodeJwt(yield* signed)
      assert.strictEqual(
        yield* Effect.promise(() => openSubject(signingKeys[0], sub ?? "")),
        "org_1 2:present 1:former"
      )
      yield* dies(Effect.promise(() => openSubject(signingKeys[1], sub ?? "")))
    }).pipe(Effect.provide(layerSessionTokens(signingKeys)))
  )

  it.effect("is accepted unchanged", () =>
    Effect.gen(function* () {
      const { verify } = yield* SessionTokens
      const token = yield* Effect.promise(() => signedBy(signingKeys[0], session, { now_s: 0 }))
      assert.deepStrictEqual(yield* verify(Redacted.make(token)), session)
      const ours = yield* signed
      const { sub } = decodeJwt(ours)
      const again = yield* Effect.promise(() => signedBy(signingKeys[0], session, { now_s: 0, claims: { sub } }))
      assert.strictEqual(again, ours)
    }).pipe(Effect.provide(layerSessionTokens(signingKeys)))
  )

  it.effect("is refused if any part of it is forged", () =>
    Effect.gen(function* () {
      const { verify } = yield* SessionTokens
      const forged = yield* Effect.promise(() => forgedTokens(session, 0))
      for (const [what, token] of Object.entries(forged)) {
        yield* Effect.asVoid(failsWith(verify(Redacted.make(token)), "InvalidToken")).pipe(
          Effect.catchCause(() => Effect.die(new Error(`taken: ${what}`)))
        )
      }
    }).pipe(Effect.provide(layerSessionTokens(signingKeys)))
  )

  it.effect("is valid until it ends, whatever number of others is verified in between", () =>
    Effect.gen(function* () {
      const { sign, verify } = yield* SessionTokens
      const first = yield* sign(session)
      assert.deepStrictEqual(yield* verify(first), session)
      for (let i = 0; i < 5_000; i++) yield* verify(yield* sign({ ...session, key_id: `key_${i}` }))
      assert.deepStrictEqual(yield* verify(first), session)
      yield* TestClock.adjust(900_000)
      yield* failsWith(verify(first), "InvalidToken")
    }).pipe(Effect.provide(layerSessionTokens(signingKeys)))
  )

  it.effect("is refused if another service signed it, even with a key of the same id", () =>
    Effect.gen(function* () {
      const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
      const pem = publicKey.export({ type: "spki", format: "pem" }).toString()
      const token = yield* Effect.promise(() =>
        signedBy({ id: "present", secret: Redacted.make(pem) }, session, { now_s: 0 })
      )
      const { verify } = yield* SessionTokens
      yield* failsWith(verify(Redacted.make(token)), "InvalidToken")
    }).pipe(Effect.provide(layerSessionTokens(signingKeys)))
  )
})

describe("signing keys", () => {
  const wrong: Readonly<Record<string, SigningKeys>> = {
    "without an id": [{ ...key("a"), id: "" }],
    "with a space in the id": [{ ...key("a"), id: "a b" }],
    "with too long an id": [{ ...key("a"), id: "a".repeat(33) }],
    "with a weak secret": [{ id: "a", secret: Redacted.make("x".repeat(64)) }],
    "of which two have one id": [key("a"), key("b"), { ...key("c"), id: "a" }]
  }
  it.effect.each(Object.entries(wrong))("%s are refused at start", ([, keys]) =>
    dies(Effect.provide(signed, layerSessionTokens(keys)))
  )
})
