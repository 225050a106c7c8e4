import { readFileSync } from "node:fs"
import { ProofKeys } from "@postcode/gateway/widget/endUsers/ProofKeys"
import { provesUser } from "@postcode/gateway/widget/endUsers/UserProof"
import { layerNodeSecrets, type Pepper } from "@postcode/node/secrets"
import { Effect, Redacted } from "effect"
import { SignJWT } from "jose"
import { describe, expect, it } from "vitest"
import { readClaims } from "../../src/secrets/ProofKeys.ts"

interface Vectors {
  readonly now_s: number
  readonly organization_id: string
  readonly key: string
  readonly proofs: ReadonlyArray<{
    readonly rule: string
    readonly identifier: string
    readonly valid: boolean
    readonly token: string
  }>
}

const vectors: Vectors = JSON.parse(
  readFileSync(new URL("../../../../vectors/user-proofs.json", import.meta.url), "utf8")
)

describe("vectors/user-proofs.json", () => {
  it.each(vectors.proofs)("$rule: $valid", async ({ identifier, token, valid }) => {
    const { key, now_s, organization_id } = vectors
    const claims = await readClaims(token, [Buffer.from(key)])
    expect(provesUser(claims, { identifier: Redacted.make(identifier), now_s, organization_id })).toBe(valid)
  })
})

const pepper = (version: number): Pepper => ({
  version,
  secret: Redacted.make(`a-pepper-for-tests-of-the-version-${version}`)
})

const keysUnder = (present: Pepper, ...former: ReadonlyArray<Pepper>): ProofKeys["Service"] =>
  Effect.runSync(Effect.provide(ProofKeys, layerNodeSecrets(present, former)))

const sign = async (secret: Redacted.Redacted<string>): Promise<Redacted.Redacted<string>> =>
  Redacted.make(
    await new SignJWT({ sub: "ada@example.ng" })
      .setProtectedHeader({ alg: "HS256" })
      .sign(new TextEncoder().encode(Redacted.value(secret)))
  )

describe("proof keys", () => {
  const keys = keysUnder(pepper(1))
  const claims = { sub: "ada@example.ng" }

  it("a token that a library signs with the key is read, also if another key is valid beside it", async () => {
    const [one, other] = [keys.make("org_1"), keys.make("org_1")]
    expect(Redacted.value(one.secret)).toMatch(/^svc_proof_[A-Za-z0-9_-]{43}$/)
    const token = await sign(one.secret)
    for (const sealed of [[one.sealed], [other.sealed, one.sealed]]) {
      expect(await Effect.runPromise(keys.read(sealed, "org_1", token))).toEqual(claims)
    }
    for (const sealed of [[], [other.sealed]]) {
      expect(await Effect.runPromise(keys.read(sealed, "org_1", token))).toBeUndefined()
    }
  })

  it("a sealed key opens for its organization alone, and shows nothing of the secret", async () => {
    const { sealed, secret } = keys.make("org_1")
    const token = await sign(secret)
    expect(await Effect.runPromise(keys.read([sealed], "org_2", token))).toBeUndefined()
    const raw = Redacted.value(secret)
    for (const form of [raw, raw.slice("svc_proof_".length)]) {
      expect(sealed).not.toContain(form)
      expect(Buffer.from(sealed.slice(2), "base64").includes(form)).toBe(false)
      expect(String(secret)).not.toContain(form)
    }
    expect(new Set(Array.from({ length: 100 }, () => Redacted.value(keys.make("org_1").secret))).size).toBe(100)
  })

  it("keys open as long as their pepper is configured", async () => {
    const { sealed, secret } = keys.make("org_1")
    const token = await sign(secret)
    const rotated = keysUnder(pepper(2), pepper(1))
    expect(await Effect.runPromise(rotated.read([sealed], "org_1", token))).toEqual(claims)
    expect(await Effect.runPromise(keysUnder(pepper(2)).read([sealed], "org_1", token))).toBeUndefined()
    for (const broken of ["", "1:", "1", `1:${sealed.slice(2, -4)}`, `x${sealed}`]) {
      expect(await Effect.runPromise(rotated.read([broken], "org_1", token))).toBeUndefined()
    }
  })
})
